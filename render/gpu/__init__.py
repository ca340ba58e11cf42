"""Everything that holds GL objects, without knowing what a frame is."""
