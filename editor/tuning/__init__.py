"""What the tuner writes into the texts: the places at which values of a contact or constraint can stand, and the edit for the chosen one."""
