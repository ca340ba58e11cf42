"""What tells one state of some code from another, for caches of what it made: the sizes and times of its files.

The files are found by following the imports of the modules that do the work, imports inside functions included, within given packages: a file that
is renamed or added needs no list to be told.
"""
from __future__ import annotations

import importlib.util
import os
import re
import zlib
from functools import lru_cache

import numpy as np

_IMPORT = re.compile(rb"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#(]+)|import[ \t]+([\w.]+))", re.MULTILINE)
_WORD = re.compile(rb"\w+")


class NoSource(Exception):
    """The source of a module cannot be found, so nothing tells whether it changed."""


@lru_cache(maxsize=8)
def code_state(modules: tuple[str, ...], packages: tuple[str, ...]) -> str:
    """One word per file that these modules are made of, themselves included. packages: prefixes of the modules that count. Raises NoSource."""
    return " ".join([_state(name) for name in files_of(modules, packages)] + [f"numpy {np.__version__}"])


def files_of(modules: tuple[str, ...], packages: tuple[str, ...]) -> tuple[str, ...]:
    """The modules that these import, directly or not, within the packages; they themselves included. Raises NoSource."""
    found, waiting = set(), list(modules)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [other for other in _imported(name) if other.startswith(packages) and _path(other)]
    return tuple(sorted(found))


def _imported(name: str) -> list[str]:
    """What the import statements of a module may name: 'from a import b' gives a and a.b, whether or not they are modules."""
    out = []
    for base, names, plain in _IMPORT.findall(_source(name)):
        stem = (base or plain).decode()
        out += [stem, *(f"{stem}.{word.decode()}" for word in _WORD.findall(names))]
    return out


@lru_cache(maxsize=1024)
def _path(name: str) -> str:
    """A module's source file, '' where there is none of that name."""
    top = importlib.util.find_spec(name.partition(".")[0])
    if top is None or not top.origin:
        return ""
    *folders, leaf = [os.path.dirname(top.origin), *name.split(".")[1:]]
    folder = os.path.join(*folders) if folders else ""
    if f"{leaf}.py" in _listing(folder):
        return os.path.join(folder, f"{leaf}.py")
    inner = os.path.join(folder, leaf)
    return os.path.join(inner, "__init__.py") if "__init__.py" in _listing(inner) else ""


@lru_cache(maxsize=64)
def _listing(folder: str) -> frozenset[str]:
    """Names in a folder: asked once, for most names that are imported are no modules."""
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return frozenset()


def _source(name: str) -> bytes:
    path = _path(name)
    if not path:
        raise NoSource(name)
    with open(path, "rb") as file:
        return file.read()


def _state(name: str) -> str:
    state = os.stat(_path(name))
    return f"{zlib.crc32(name.encode()):x}.{state.st_size}.{state.st_mtime_ns}"
