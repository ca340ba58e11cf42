"""Demonstrations: episodes of recordings, checked, cut and exported, without Qt."""
