"""The XML panel: a text editor of the loaded files."""
