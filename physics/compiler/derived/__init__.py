"""Model fields that follow from others: the structure of the tree, and constants of the initial pose."""
