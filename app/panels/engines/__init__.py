"""The panel in which both engines are compared on the model that runs."""
