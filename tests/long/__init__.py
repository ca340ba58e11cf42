"""Long proofs: `./test.sh --long NAME`. Restartable, each writes JSON that closing notes quote; CI never runs them."""
