"""What the left button does in the view while a tool is active; without one it turns the camera. A tool takes the events that it wants and ends itself."""
from app.viewport.tools.tools import Tool, Tools

__all__ = ["Tool", "Tools"]
