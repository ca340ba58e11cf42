"""Macros taken out of a tree between reader and compiler: attach, replicate, composite, keyframes of attached models."""
