"""The MJCF language: elements, attributes, types, defaults and their texts, as tables. Imports nothing else of ours but errors."""
