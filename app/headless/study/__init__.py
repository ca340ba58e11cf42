"""What `linkwork sweep` makes of single trials: recordings and films."""
