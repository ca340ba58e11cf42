"""The desktop program: windows, panels and the wiring between the document, the running simulation and the picture."""
