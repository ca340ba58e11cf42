"""Declaring, compiling, caching and loading the engine's compiled functions."""
