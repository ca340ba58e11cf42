"""The main window and the arrangement of its docks."""
