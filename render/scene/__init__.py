"""The contract between whoever describes a picture and the renderer: NumPy only, no GL, no physics."""
