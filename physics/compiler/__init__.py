"""Compiler: from the tree of elements to a Model, one file per family of elements; compile.py lists the passes."""
