"""From a Model and a published Snapshot to the renderer's Scene: the only code that knows both sides. Pure functions, no Qt."""
