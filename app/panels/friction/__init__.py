"""The Friction panel: slopes, creep and stick-slip of a contact, and what cone, impratio, noslip and condim would change."""
