"""Pictures of the documentation, made from the real window by real events: `python -m tests.pictures`."""
