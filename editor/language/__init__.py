"""What helps to write MJCF as text: completion, help, definitions and references, search, folding of lines into comments, formatting. Without Qt."""
