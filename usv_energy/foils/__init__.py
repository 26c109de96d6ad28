"""Foils: rudders, keels, skegs and sails."""
