"""Reading a table of a TOML file key by key, with errors that name the file, the line and what to write."""
from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from physics.name_hints import hint

_AT = re.compile(r"line (\d+), column (\d+)")


def parsed(path: Path, error: type[Exception]) -> tuple[str, dict[str, Any]]:
    """Text and tables of a file. Raises `error` with line and column, OSError where it cannot be read."""
    text = path.read_text(encoding="utf-8")
    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as why:
        at = _AT.search(str(why))
        place = f"{path}:{at[1]}:{at[2]}" if at else str(path)
        raise error(f"{place}: {_AT.sub('', str(why)).replace(' (at )', '')}") from None


class TomlTable:
    """A table of a file, whose keys are taken one by one; what is left over is an error of the class `error`. name: of the table, '' for the top."""

    def __init__(self, path: Path, text: str, name: str, table: Any, error: type[Exception]):
        self.path, self.text, self.name, self.error = path, text, name, error
        if not isinstance(table, Mapping):
            raise self.wrong(name, f"is a table: write [{name}]")
        self.table = dict(table)
        self.known: list[str] = []

    def wrong(self, key: str, why: str) -> Exception:
        """An error at a key."""
        said = f"[{self.name}] {key}" if self.name and key != self.name else key
        return self.error(f"{self.path}:{line_of(self.text, key, self.name)}: {said} {why}")

    def take(self, key: str, kinds: type | tuple[type, ...], words: str, default: Any = None) -> Any:
        """The value of a key. Raises `error` where it is of another kind, or missing without a default."""
        self.known.append(key)
        if key not in self.table:
            if default is None:
                raise self.error(f"{self.path}: {f'[{self.name}] ' if self.name else ''}{key} is missing: {words}")
            return default
        value = self.table.pop(key)
        if not isinstance(value, kinds) or isinstance(value, bool) and bool not in (kinds if isinstance(kinds, tuple) else (kinds,)):
            raise self.wrong(key, f"is {words}, not {value!r}")
        return value

    def number(self, key: str, low: float, high: float, default: float | None = None) -> float:
        """A number in a range."""
        value = self.take(key, (int, float), "a number", default)
        if not low <= value <= high:
            raise self.wrong(key, f"is from {low:g} to {high:g}, not {value:g}")
        return value

    def whole(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """A whole number in a range."""
        value = self.take(key, int, "a whole number", default)
        if not low <= value <= high:
            raise self.wrong(key, f"is from {low} to {high}, not {value}")
        return value

    def inner(self, key: str, table: Any) -> TomlTable:
        """A table within this one."""
        return TomlTable(self.path, self.text, key, table, self.error)

    def end(self) -> None:
        """Raises `error` for the first key that nobody knows."""
        for key in self.table:
            raise self.wrong(key, f"is not known{hint(key, self.known)}; there are: {', '.join(self.known)}")


def line_of(text: str, key: str, table: str) -> int:
    """The line in which a key of a table is given, else that of the table, else 1."""
    inside, found = not table, 0
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("["):
            inside = stripped.strip("[] ").startswith(table) if table else False
            found = number if inside and table else found
        if (inside or table and table in line) and key in line:
            return number
    return found or 1
