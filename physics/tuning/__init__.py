"""Parameters chosen for a wanted behaviour: what solref and solimp, or the gains of servos, make a model do, in closed form and simulated, and which to write. No Qt, no text."""
