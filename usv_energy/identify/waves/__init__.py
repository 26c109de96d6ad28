"""What waves cost a boat, told from its logs."""
