"""Parameters chosen for a wanted behaviour: what they make a model do, in closed form and simulated, and which to write. No Qt, no text."""
