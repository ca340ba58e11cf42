"""Textures and materials: image files, procedural patterns, the cache on disk."""
