"""What is written into a Model: rows of its fields that differ."""
