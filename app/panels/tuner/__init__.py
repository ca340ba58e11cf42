"""The panel in which solref and solimp of a contact, limit or equality are tuned: what they mean, what they would do, and where they are written."""
