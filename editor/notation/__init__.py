"""What attributes are written in: numbers as text, and an orientation in each of the notations that MJCF has for it."""
