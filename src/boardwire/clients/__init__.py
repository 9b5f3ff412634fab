"""What a person at a terminal uses, over any dialect."""
