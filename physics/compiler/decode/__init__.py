"""Readers of mesh files: bytes in, vertices and triangles out."""
