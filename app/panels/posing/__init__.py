"""Panels beside the tools that pose and measure: keyframes, distances and angles, mass of a selection, torque that holds a pose."""
