"""The texts that Models were compiled from, kept small: a window that is worked in for an hour has hundreds of Models, and each has all its texts anew."""
from __future__ import annotations

import threading
import zlib
from collections.abc import Iterator, Mapping

Packed = tuple[tuple[str, bytes], ...]


class KeptTexts(Mapping[int, Mapping[str, str]]):
    """{path: text} of Models by their number, packed. most: of how many, the newest; None: of all. May be used from any thread."""

    def __init__(self, most: int | None = None):
        self._most, self._lock = most, threading.Lock()
        self._packed: dict[int, Packed] = {}

    def keep(self, number: int, texts: Mapping[str, str]) -> None:
        """Keep those of a Model. Not for the window's thread: 100 kB take a millisecond or two."""
        packed = tuple((path, zlib.compress(text.encode("utf-8", "surrogatepass"))) for path, text in texts.items())
        with self._lock:
            self._packed[number] = packed
            if self._most is not None:
                for old in list(self._packed)[:-self._most]:
                    del self._packed[old]

    def __getitem__(self, number: int) -> Mapping[str, str]:
        """Those of a Model. Raises KeyError."""
        return {path: zlib.decompress(packed).decode("utf-8", "surrogatepass") for path, packed in self._packed[number]}

    def __iter__(self) -> Iterator[int]:
        with self._lock:
            return iter(list(self._packed))

    def __len__(self) -> int:
        return len(self._packed)

    def copy(self) -> KeptTexts:
        """The same as they are now, whatever is kept later."""
        new = KeptTexts(self._most)
        with self._lock:
            new._packed = dict(self._packed)
        return new
