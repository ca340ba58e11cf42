"""Teleoperation and demonstrations in the window."""
