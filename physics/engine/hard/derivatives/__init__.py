"""Derivatives of a hard step: right sides of the dofs, made as cheaply as the model allows, and the answers to them."""
