"""The panel that shows and changes the attributes of what is selected in the document."""
