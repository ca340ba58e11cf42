"""What scripts draw into the view: arrows, lines, point clouds, texts, meshes and simple shapes, with lifetimes. No Qt."""
from app.bridge.markers.store import FrameMarkers, Marker, Markers, OwnedMarkers, TooManyMarkers
from app.bridge.markers.table import DrawnMarkers

__all__ = ["DrawnMarkers", "FrameMarkers", "Marker", "Markers", "OwnedMarkers", "TooManyMarkers"]
