"""Meshes taken apart into convex parts by the package coacd, which need not be there, in a process of its own; and the files of the parts."""
