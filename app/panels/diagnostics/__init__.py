"""Panels that say why: contacts and constraints, balance of a joint, divergence, advice."""
