"""What waves cost a boat, found from its logs."""
