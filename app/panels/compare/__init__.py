"""The panel in which several sets of contact parameters run beside each other, with depth, force and energy on common axes."""
