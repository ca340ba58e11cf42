"""From files, texts and dictionaries of assets to a Model of ours, and how it is written again."""
from __future__ import annotations

import functools
import os
import re
import tempfile
from pathlib import PurePath

import physics
from physics.model import lwb

_FILES = re.compile(r'\bfile\w*\s*=\s*["\']([^"\']*)["\']')
_FOLDERS = re.compile(r'(?:mesh|texture|asset)dir\s*=\s*["\']([^"\']*)["\']')


@functools.cache
def ready() -> None:
    """Make kernels callable, once a process."""
    physics.compile_kernels()


def _text(data: str | bytes) -> str:
    return data.decode() if isinstance(data, bytes) else data


def named_files(text: str, assets) -> dict[str, bytes | str]:
    """Assets, under every path that the texts may look for them by: official file systems of a model go by the last part of a path. Raises ValueError for two of one name."""
    files: dict[str, bytes | str] = {}
    last: dict[str, str] = {}
    for name, data in assets.items():
        short = PurePath(name).name
        if short in last:
            raise ValueError(f"Repeated file name in assets dict: {short}")
        last[short] = name
        files[name] = data if isinstance(data, bytes | str) else bytes(data)
    texts = [text, *(_text(data) for name, data in files.items() if name.endswith((".xml", ".mjcf")))]
    folders = {"", *(folder for one in texts for folder in _FOLDERS.findall(one))}
    asked = {*last, *files, *(path for one in texts for path in _FILES.findall(one))}
    for path in asked:
        short = PurePath(path).name
        if short in last:
            for folder in folders:
                files.setdefault(os.path.join(folder, path), files[last[short]])
    return files


def _compiled(make):
    """What `make` gives; the official kind of error with all that is wrong where it cannot."""
    ready()
    try:
        return make()
    except physics.ModelError as error:
        raise ValueError(f"XML Error: {error}") from None


def from_text(xml: str | bytes, assets) -> physics.Model:
    """The Model of a text. Raises ValueError."""
    text = _text(xml)
    files = named_files(text, assets) if assets else None
    return _compiled(lambda: physics.load_string(text, files=files))


def from_path(path: str, assets) -> physics.Model:
    """The Model of a file. Raises ValueError."""
    if not assets or path not in assets:
        if not os.path.exists(path):
            raise ValueError(f"ParseXML: Error opening file '{path}': No such file or directory")
        if path.endswith((".mjb", ".lwb")):
            return from_binary(path, None)
        if not assets:
            return _compiled(lambda: physics.load(path))
        with open(path, encoding="utf-8") as file:
            text = file.read()
    else:
        text = _text(assets[path])
    files = named_files(text, assets)
    return _compiled(lambda: physics.load_string(text, os.path.basename(path), os.path.dirname(path) or ".", files))


def from_binary(path: str, assets) -> physics.Model:
    """The Model of a compiled file. Raises ValueError."""
    ready()
    if not assets or path not in assets:
        if not os.path.exists(path):
            raise ValueError(f"mj_loadModel: could not open file '{path}'")
        return _loaded(path)
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "model.lwb")
        with open(copy, "wb") as file:
            file.write(assets[path])
        return _loaded(copy)


def _loaded(path: str) -> physics.Model:
    try:
        return lwb.load(path)
    except physics.ModelError as error:
        raise ValueError(f"mj_loadModel: {error}") from None


def to_binary(m: physics.Model) -> bytes:
    """The bytes of a compiled file."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.lwb")
        lwb.save(m, path)
        with open(path, "rb") as file:
            return file.read()
