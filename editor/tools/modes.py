"""What gizmos do."""

__all__ = ["MODES", "MOVE", "ROTATE", "SCALE"]

MODES = MOVE, ROTATE, SCALE = "move", "rotate", "scale"
