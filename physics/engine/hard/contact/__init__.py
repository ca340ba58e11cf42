"""Contacts of the hard engine: rows, gaps, cones, what comes through within a step."""
