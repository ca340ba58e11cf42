"""Compiled models as files, their validation, and atomic writing."""
