"""Damaged asset files for the fuzzer: meshes, pictures, height fields and skins whose bytes are wrong, each in a small model that uses it."""
from __future__ import annotations

import random
from pathlib import Path

from tests.long.damage import ABSURD
from tests.oracle.corpus import REPOSITORY, corpus_dir

LARGEST = 150_000
_MODELS = {
    ".obj": "<mesh name='m' file='{0}' inertia='{1}' smoothnormal='{2}' maxhullvert='{3}'/>",
    ".stl": "<mesh name='m' file='{0}' inertia='{1}' smoothnormal='{2}' maxhullvert='{3}'/>",
    ".msh": "<mesh name='m' file='{0}' content_type='model/vnd.mujoco.msh'/>",
    ".png": "<texture name='t' type='2d' file='{0}'/><texture name='c' type='cube' file='{0}'/><hfield name='h' file='{0}' size='1 1 1 1'/>",
    ".skn": "<skin name='s' file='{0}'/>",
}
_EXTREMES = (b"\0\0\0\0", b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\x80\x7f", b"\0\0\xc0\x7f", b"\x01\0\0\0", b"\0\0\x80\x3f")


def assets() -> list[Path]:
    """Asset files to damage, of ours and, where it is there, of the corpus, none of them large."""
    found = [path for folder in (REPOSITORY / "tests" / "models" / "assets", corpus_dir()) for path in sorted(folder.rglob("*"))]
    return [path for path in found if path.suffix.lower() in _MODELS and 0 < path.stat().st_size < LARGEST]


def damaged(path: Path, rng: random.Random) -> tuple[str, dict[str, bytes]]:
    """A model's text and its files: the damaged one."""
    data = path.read_bytes()
    for _ in range(rng.randint(1, 4)):
        data = rng.choice(_KINDS)(data, rng) or b"\0"
    kind = path.suffix.lower()
    name = "asset" + kind
    asset = _MODELS[kind].format(name, rng.choice(("legacy", "exact", "convex", "shell")), rng.choice(("true", "false")), rng.choice((-1, 4, 20)))
    body = "<body><freejoint/><geom type='mesh' mesh='m'/></body>" if "<mesh" in asset else "<geom size='1'/>"
    return f"<mujoco><asset>{asset}</asset><worldbody>{body}</worldbody></mujoco>", {name: data}


def _cut(data, rng):
    start = rng.randrange(len(data))
    return data[:start] if rng.random() < 0.3 else data[:start] + data[start + rng.randint(1, 400):]


def _flip(data, rng):
    out = bytearray(data)
    for _ in range(rng.randint(1, 20)):
        out[rng.randrange(len(out))] = rng.randrange(256)
    return bytes(out)


def _extreme(data, rng):
    at = 4 * rng.randrange(max(1, min(len(data), rng.choice((100, len(data)))) // 4))
    return data[:at] + rng.choice(_EXTREMES) + data[at + 4:]


def _double(data, rng):
    start = rng.randrange(len(data))
    end = start + rng.randint(1, 3000)
    return data[:end] + data[start:end] * rng.randint(1, 3) + data[end:]


def _word(data, rng):
    words = data.split(b" ")
    words[rng.randrange(len(words))] = rng.choice(ABSURD).encode()
    return b" ".join(words)


_KINDS = (_cut, _flip, _flip, _extreme, _extreme, _double, _word)
