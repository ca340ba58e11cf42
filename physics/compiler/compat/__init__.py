"""Models as older versions meant them, and what discardvisual and fusestatic take away."""
