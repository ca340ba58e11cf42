"""Keyframes of a window beside those of the Model, whose number is fixed: kept by document in the user's state folder. No Qt."""
from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from physics.files.atomic_write import write_file
from physics.model.model import Model
from physics.query.keyframes import FIELDS, Keyframe

MOST = 500


@dataclass(frozen=True, slots=True, eq=False)
class OwnKey:
    """A keyframe with a name."""

    name: str
    key: Keyframe


class OwnKeys:
    """Those of a window. `changed`: functions that are called after each change. A name is there once."""

    def __init__(self):
        self._all: list[OwnKey] = []
        self.changed: list[Callable[[], None]] = []

    @property
    def all(self) -> tuple[OwnKey, ...]:
        """All of them, in the order in which they were made."""
        return tuple(self._all)

    def free_name(self, wanted: str, taken: Iterable[str] = ()) -> str:
        """`wanted`, with a number where it is taken already."""
        used = {*taken, *(own.name for own in self._all)}
        wanted = " ".join(wanted.split()) or "keyframe"
        number, name = 2, wanted
        while name in used:
            name, number = f"{wanted}_{number}", number + 1
        return name

    def add(self, name: str, key: Keyframe, taken: Iterable[str] = ()) -> OwnKey:
        """Another one. Raises ValueError where there are MOST."""
        if len(self._all) >= MOST:
            raise ValueError(f"there are {MOST} keyframes in the window, and that is as many as there can be: delete some")
        made = OwnKey(self.free_name(name, taken), key)
        self.replace_all([*self._all, made])
        return made

    def change(self, own: OwnKey, **values) -> OwnKey:
        """Another name or keyframe; what it has become."""
        if own not in self._all:
            return own
        made = replace(own, **values)
        self.replace_all([made if one is own else one for one in self._all])
        return made

    def remove(self, keys: Iterable[OwnKey]) -> None:
        """Without these."""
        gone = list(keys)
        self.replace_all([own for own in self._all if own not in gone])

    def replace_all(self, keys: Iterable[OwnKey]) -> None:
        """These and no others."""
        self._all = list(keys)
        for listener in tuple(self.changed):
            listener()


def place_of(folder: Path, document: str) -> Path:
    """The file that keeps those of a document, by its key (a path)."""
    return folder / "keyframes" / f"{hashlib.sha256(document.encode()).hexdigest()[:32]}.json"


def keep(place: Path, keys: Iterable[OwnKey]) -> str:
    """Write them, or take the file away where there are none; '' or why that failed."""
    rows = [{"name": own.name, **{name: np.asarray(getattr(own.key, name)).tolist() for name in FIELDS}} for own in keys]
    try:
        if rows:
            place.parent.mkdir(parents=True, exist_ok=True)
            write_file(place, json.dumps(rows), wait=False)
        else:
            place.unlink(missing_ok=True)
    except OSError as error:
        return str(error.strerror or error)
    return ""


def kept(place: Path, m: Model) -> list[OwnKey]:
    """Those that were kept and fit the Model; damaged ones are passed over."""
    try:
        rows = json.loads(place.read_text())
    except (OSError, ValueError):
        return []
    found = []
    for row in rows if isinstance(rows, list) else []:
        with contextlib.suppress(KeyError, TypeError, ValueError):
            own = _own_of(row)
            if own.key.fits(m):
                found.append(own)
    return found[:MOST]


def _own_of(row: dict[str, Any]) -> OwnKey:
    arrays = {name: np.array(row[name], float) for name in FIELDS[1:]}
    for name, width in (("mocap_pos", 3), ("mocap_quat", 4)):
        arrays[name] = arrays[name].reshape(-1, width)
    key = Keyframe(float(row["time"]), **arrays)
    if not all(np.isfinite(array).all() for array in arrays.values()) or not np.isfinite(key.time):
        raise ValueError("numbers that are none")
    return OwnKey(str(row["name"]), key)
