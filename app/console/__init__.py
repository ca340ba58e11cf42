"""What the console knows by name: m, d, sel, q and ui."""
