"""Composite objects of MuJoCo 2.x and 3.x, made into ordinary elements: one file per family, expand.py puts them in place."""
