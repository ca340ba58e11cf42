"""What makes copies written out as elements of its own: replicates, attached models, composites."""
