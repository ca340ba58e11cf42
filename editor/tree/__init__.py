"""The document as a tree in the window: what stands where in the texts, and what is done to it by menu, keys and mouse."""
