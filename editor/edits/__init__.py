"""Changes of the document's texts: patches, edits made of them, and what can be undone."""
