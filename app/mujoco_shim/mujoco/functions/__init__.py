"""The official functions, and how they are called."""
