"""Runs as recordings: inputs as lines of text, what a running Simulation has, and a recording that runs on."""
