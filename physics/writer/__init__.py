"""Back to text: a compiled Model as canonical MJCF. `mjcf.py` is the entrance, `tables.py` says which field is which attribute."""
