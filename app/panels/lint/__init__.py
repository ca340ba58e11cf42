"""The panel of what the rules for models at rest say."""
