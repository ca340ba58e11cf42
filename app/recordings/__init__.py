"""A window's run on the disk: written while it goes on, saved as a file, opened again. No Qt."""
