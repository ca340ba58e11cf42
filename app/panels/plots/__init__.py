"""Plots: quantities over all steps of a run, in charts that share one time axis with the timeline."""
