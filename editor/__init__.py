"""The open document: its files' text, what is saved and what is applied, compiling it in the background, and the panels to edit it."""
