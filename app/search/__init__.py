"""Finding anything by a few letters: what the command palette searches, without Qt."""
