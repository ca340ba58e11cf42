"""Companion runs: Simulations beside the primary one, on the same clock and with the same inputs, or recorded states shown at its time. The primary never waits for them."""
