"""Sources of Samples: a device or a network protocol a file, each with a thread of its own."""
