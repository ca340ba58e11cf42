"""The immutable tree of elements read from MJCF, and questions about it that need no compiler."""
