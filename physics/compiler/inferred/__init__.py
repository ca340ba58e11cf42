"""What the compiler infers where a text gives no value, in words and numbers: a table beside each family of passes."""
