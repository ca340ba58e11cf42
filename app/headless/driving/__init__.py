"""Options and beginnings that commands have in common in which a device or a policy drives."""
