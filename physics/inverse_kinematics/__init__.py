"""Inverse kinematics: positions in which bodies and sites are where they are wanted, within joint limits and constraints."""
