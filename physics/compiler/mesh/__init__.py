"""Meshes: sources, processing, convex hulls, bounding volume hierarchies, the cache on disk."""
