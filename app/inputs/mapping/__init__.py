"""From a device's motion to a target: filter, clutch, frames, guards, dead man; and the file that says which."""
