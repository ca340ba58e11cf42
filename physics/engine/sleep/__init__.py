"""Trees at rest: falling asleep, waking, and what is passed over meanwhile."""
