"""One file per family of MJCF elements: from attributes to Model fields."""
