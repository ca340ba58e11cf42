"""The inspector without Qt: what an element's attributes are and where their values come from, and the edits that change them."""
