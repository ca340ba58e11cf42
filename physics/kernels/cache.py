"""The kernel cache on the disk: one object file per kernel (`KEY.object`), one pack per set of kernels, claims on what is being compiled.

Nothing here may stop a program whose kernels can be had: a folder that is missing, full, read-only or shared with others costs
compiling anew, no more. Every file carries a checksum of its name and content, as LLVM crashes on a damaged one, and counts only where
nobody but this user could have written it, as it is run (physics/files/disk_cache.py). A claim (`KEY.claim`) says that a process is compiling a kernel, so that two programs that start
on one empty cache share the work; it counts while that process lives, at most CLAIM_SECONDS.
"""
from __future__ import annotations

import contextlib
import hashlib
import json
import os
import socket
import time
import warnings

from physics.files import disk_cache, private_folder

KEEP_DAYS = 60  # files not used for so long are removed after a build
CLAIM_SECONDS = 60.0  # the longest that a kernel takes on a slow machine; whoever waits then compiles it too
_SUFFIXES = (".object", ".tmp", ".claim", ".o")   # the last: of before
_PACKS = ("kernels-", "pack-")


def cache_dir() -> str:
    """Folder of the caches: $LINKWORK_CACHE, else linkwork in the user's cache folder; created if missing. Raises OSError."""
    folder = os.environ.get("LINKWORK_CACHE") or _users_folder()
    private_folder.make_private(folder)
    return folder


def _users_folder() -> str:
    import platformdirs

    return os.path.join(platformdirs.user_cache_dir("linkwork"))


def kernel_folder() -> str | None:
    """Where to keep kernels: cache_dir(), or the user's own folder where others may write that one; None where there is neither.

    Warns (RuntimeWarning, one line) when it is not the folder that was asked for.
    """
    asked = os.environ.get("LINKWORK_CACHE")
    for folder in dict.fromkeys(filter(None, (asked, _users_folder()))):
        try:
            private_folder.make_private(folder)
            why = private_folder.refuse_shared(folder)
        except OSError as error:
            why = f"{folder}: {error.strerror or error}"
        if not why:
            return folder
        warnings.warn(f"the kernel cache is not used: {why}", RuntimeWarning, stacklevel=2)
    return None


# ---------------------------------------------------------------- files


def object_path(folder: str, key: str) -> str:
    """The object file of a key."""
    return os.path.join(folder, key + ".object")


def read_object(folder: str | None, key: str) -> bytes | None:
    """The object file of a key; None where there is no good one."""
    found = None if folder is None else disk_cache.load(object_path(folder, key))
    return None if found is None or not found.size else found.tobytes()


def store_object(folder: str | None, key: str, data: bytes) -> None:
    """Keep an object file, if that can be done."""
    if folder is not None:
        with contextlib.suppress(OSError):
            disk_cache.save(object_path(folder, key), data)


def _pack_path(folder: str, keys: dict[str, str]) -> str:
    digest = hashlib.sha256("\n".join(sorted(keys.values())).encode()).hexdigest()[:24]
    return os.path.join(folder, _PACKS[0] + digest)


def read_pack(folder: str | None, keys: dict[str, str]) -> list[bytes] | None:
    """The object files that were stored for just this set of keys; None where there is no good pack."""
    found = None if folder is None else disk_cache.load(_pack_path(folder, keys))
    if found is None:
        return None
    raw = found.tobytes()
    start = 8 + int.from_bytes(raw[:8], "little")
    try:
        sizes = [int(size) for size in json.loads(raw[8:start])]
    except (ValueError, TypeError):
        return None
    if not sizes or min(sizes) <= 0 or start + sum(sizes) != len(raw):
        return None
    objects = []
    for size in sizes:
        objects.append(raw[start:start + size])
        start += size
    return objects


def store_pack(folder: str | None, keys: dict[str, str], objects: list[bytes]) -> None:
    """Keep the object files that are loaded for this set of keys, if that can be done."""
    if folder is not None:
        head = json.dumps([len(o) for o in objects]).encode()
        with contextlib.suppress(OSError):
            disk_cache.save(_pack_path(folder, keys), len(head).to_bytes(8, "little"), head, *objects)


def forget(folder: str | None, keys: dict[str, str]) -> bool:
    """Remove the files of these keys, which hold something else than their kernels; whether none is left."""
    if folder is None:
        return True
    paths = [_pack_path(folder, keys), *(object_path(folder, key) for key in keys.values())]
    for path in paths:
        with contextlib.suppress(OSError):
            os.unlink(path)
    return not any(map(os.path.exists, paths))


def prune(folder: str | None) -> None:
    """Remove what was not used for KEEP_DAYS, and the oldest of what is too much."""
    if folder is not None:
        disk_cache.prune(folder, longest=KEEP_DAYS * 86400, counts=lambda name: name.endswith(_SUFFIXES) or name.startswith(_PACKS))


# ---------------------------------------------------------------- claims


def _claimant() -> str:
    return f"{os.getpid()} {socket.gethostname()}"


def claim(folder: str | None, key: str) -> bool:
    """Say that this process compiles the kernel of this key. False where another process that lives has said so within CLAIM_SECONDS."""
    if folder is None:
        return True
    path = os.path.join(folder, key + ".claim")
    for _ in range(2):
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644), "w") as f:
                f.write(_claimant())
            return True
        except FileExistsError:
            if _holds(path):
                return False
            with contextlib.suppress(OSError):
                os.unlink(path)
        except OSError:   # a folder that may only be read, or a full disk: nobody can claim anything
            return True
    return False   # another took over first; it is alive


def release(folder: str | None, key: str) -> None:
    """Take this process's claim back."""
    if folder is not None:
        with contextlib.suppress(OSError):
            os.unlink(os.path.join(folder, key + ".claim"))


def _holds(path: str) -> bool:
    """Whether a claim counts: young, and its process alive as far as can be told from here."""
    try:
        age = time.time() - os.stat(path).st_mtime
        with open(path) as f:
            pid, _, host = f.read().partition(" ")
    except OSError:   # just taken back
        return False
    if not -CLAIM_SECONDS < age < CLAIM_SECONDS:
        return False
    if host != socket.gethostname() or not pid.isdecimal() or os.name != "posix":
        return True
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except OSError:   # another user's
        return True
    return True
