"""A simulation that runs on a thread of its own: commands in, snapshots and events out."""
