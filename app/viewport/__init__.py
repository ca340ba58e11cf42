"""The 3D view: where pixels go (hosts), what the mouse does there, and the text on top."""
