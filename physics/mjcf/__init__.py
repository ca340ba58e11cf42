"""MJCF text to element tree: the language's table, the reader, includes and numbers."""
