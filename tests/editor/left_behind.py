"""Text that a program which died has left, as earlier versions kept it: whole, without how it came about (editor/autosave.py)."""
import json
import time
import uuid
from collections.abc import Mapping
from pathlib import Path


def leave(folder: Path, key: str, files: Mapping[str, str]) -> Path:
    """Put unsaved texts of a document into the folder for what is left behind; where that is."""
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / f"{uuid.uuid4().hex[:16]}.json"
    place.write_text(json.dumps({"key": key, "time": time.time(), "files": dict(files)}))
    return place
