"""Contacts and limits as springs: what solref and solimp mean for the motion, and which values give a wanted motion."""
