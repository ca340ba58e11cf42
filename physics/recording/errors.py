"""What is wrong with a recording."""
from __future__ import annotations


class RecordingError(ValueError):
    """path: of the file or folder, '' where it is not known yet; field: what of it is wrong ('branches/1/qpos'), '' for the whole."""

    def __init__(self, what: str, path: str = "", field: str = ""):
        super().__init__(": ".join(part for part in (path, field, what) if part))
        self.what, self.path, self.field = what, path, field

    def at(self, path: str = "", field: str = "") -> RecordingError:
        """The same with its place, where that was not known."""
        return RecordingError(self.what, self.path or path, self.field or field)
