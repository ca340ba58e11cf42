"""Pictures of models that do not run, for dialogs."""
