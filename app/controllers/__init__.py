"""What the actions do, by topic; every action's handler is a method here."""
