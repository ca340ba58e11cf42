"""Models in zip archives (.zip, .mjz): everything is read into memory, nothing is unpacked to the disk or read from it.

An archive is somebody else's file: names that lead outside, links, encryption, and sizes made to exhaust memory are refused before
anything is unpacked.
Which member is the model: MuJoCo documentation, Programming chapter, "MJZ Archives"; beyond that, what the archive has only one of.
"""
from __future__ import annotations

import os
import re
import stat
import struct
import zipfile
import zlib
from pathlib import PurePosixPath
from typing import NamedTuple

from physics.errors import Issue, Place
from physics.files.text_codec import decode

__all__ = ["Archive", "open_archive"]

MODEL_SUFFIXES = (".xml", ".mjcf", ".urdf")
MAX_MEMBERS = 10_000
MAX_MEMBER = 256 * 2**20   # bytes of one unpacked member
MAX_TOTAL = 512 * 2**20    # bytes of all of them
MAX_RATIO = 200            # unpacked to packed, where it is worth asking: model text packs 10 to 30 times
MIN_ASKED = 2**20
MAX_DIRECTORY = 16 * 2**20  # bytes of the list of members, which is read as a whole
MAX_SHOWN = 8
_END_BYTES = 22 + 20 + 2**16   # the last record, the one before it, the longest comment

_ROOT = re.compile(r"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*)*<([A-Za-z_][\w.-]*)", re.DOTALL)
_INCLUDE = re.compile(r"""<include\s[^>]*?file\s*=\s*["']([^"']+)["']""")
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError, UnicodeDecodeError)


class Archive(NamedTuple):
    """What an archive held. main: the model's path, '' when there is none; files: path -> bytes; issues: what was wrong.

    Paths are the archive's own with the member's behind it, as if the archive were a folder.
    """

    main: str
    files: dict[str, bytes]
    issues: list[Issue]


class _Refused(Exception):
    """The archive cannot be used; the issues have been noted."""


def open_archive(path: str) -> Archive:
    """Read all members of an archive into memory and find the model among them. Never raises for what an archive holds."""
    issues: list[Issue] = []
    try:
        files = _members(path, issues)
        main = _main(path, files, issues)
    except _Refused:
        return Archive("", {}, issues)
    return Archive(main, files, issues)


def _refuse(path: str, issues: list[Issue], what: str, hint: str = "") -> None:
    issues.append(Issue("error", Place(path), "", what, hint))
    raise _Refused


def _members(path: str, issues: list[Issue]) -> dict[str, bytes]:
    try:
        if os.path.getsize(path) > MAX_TOTAL:
            _refuse(path, issues, f"the archive is larger than {MAX_TOTAL >> 20} MiB")
        if _directory_bytes(path) > MAX_DIRECTORY:
            _refuse(path, issues, f"the archive's list of members is larger than {MAX_DIRECTORY >> 20} MiB")
        with zipfile.ZipFile(path) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
            names = _check(path, infos, issues)
            return {os.path.normpath(f"{path}/{name}"): _unpack(path, archive, info, issues) for name, info in names.items()}
    except (zipfile.BadZipFile, OSError, OverflowError, NotImplementedError, ValueError, struct.error) as problem:
        _refuse(path, issues, f"the archive cannot be read: {getattr(problem, 'strerror', None) or problem}")


def _directory_bytes(path: str) -> int:
    """Size of the list of members, as the end of the archive gives it; 0 when that is not found (APPNOTE.TXT 4.3.14 to 4.3.16)."""
    with open(path, "rb") as file:
        file.seek(max(os.path.getsize(path) - _END_BYTES, 0))
        end = file.read()
        at = end.rfind(b"PK\x05\x06")
        if at < 0 or len(end) < at + 22:
            return 0
        if end[max(at - 20, 0):at].startswith(b"PK\x06\x07"):   # a 64-bit record wins
            file.seek(struct.unpack_from("<Q", end, at - 12)[0])
            record = file.read(56)
            return struct.unpack_from("<Q", record, 40)[0] if len(record) == 56 else 0
        return struct.unpack_from("<I", end, at + 12)[0]


def _check(path: str, infos: list[zipfile.ZipInfo], issues: list[Issue]) -> dict[str, zipfile.ZipInfo]:
    """Names that are safe, with their entries; refuses the archive where one entry is not."""
    if len(infos) > MAX_MEMBERS:
        _refuse(path, issues, f"the archive has {len(infos)} members: at most {MAX_MEMBERS} are read")
    names: dict[str, zipfile.ZipInfo] = {}
    wrong: list[tuple[str, str]] = []
    for info in infos:
        name = info.filename.replace("\\", "/")
        problem = _unsafe(name) or _unusable(info)
        clean = str(PurePosixPath(name))
        if not problem and clean in names:
            problem = "is in the archive twice"
        if problem:
            wrong.append((info.filename, problem))
        names[clean] = info
    total = sum(info.file_size for info in infos)
    if total > MAX_TOTAL:
        wrong.append(("the whole archive", f"would unpack to {total >> 20} MiB: at most {MAX_TOTAL >> 20} MiB are read"))
    for name, problem in wrong[:MAX_SHOWN]:
        issues.append(Issue("error", Place(path), "", f"'{name}' {problem}" if name != "the whole archive" else f"{name} {problem}",
                            "An archive is read only when all of it is safe"))
    if wrong:
        raise _Refused
    return names


def _unsafe(name: str) -> str:
    """Why a member's name cannot be used, '' when it can."""
    if not name or "\0" in name:
        return "is not a name"
    if name.startswith("/") or re.match(r"[A-Za-z]:", name):
        return "has an absolute path"
    if ".." in PurePosixPath(name).parts:
        return "leads outside the archive"
    return ""


def _unusable(info: zipfile.ZipInfo) -> str:
    """Why a member cannot be unpacked, '' when it can."""
    if info.flag_bits & 1:
        return "is encrypted"
    mode = info.external_attr >> 16
    if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return "is a link or device, not a file"
    if info.file_size > MAX_MEMBER:
        return f"would unpack to {info.file_size >> 20} MiB: at most {MAX_MEMBER >> 20} MiB are read"
    if info.file_size > MIN_ASKED and info.file_size > MAX_RATIO * max(info.compress_size, 1):
        return f"is packed {info.file_size // max(info.compress_size, 1)} times: more than {MAX_RATIO} looks like an attack"
    return ""


def _unpack(path: str, archive: zipfile.ZipFile, info: zipfile.ZipInfo, issues: list[Issue]) -> bytes:
    try:
        with archive.open(info) as member:
            data = member.read(info.file_size + 1)   # never more than it has declared
    except _BROKEN as problem:
        _refuse(path, issues, f"'{info.filename}' cannot be unpacked: {problem}", "The archive is damaged, or packed in a way that is not read")
    if len(data) != info.file_size:
        _refuse(path, issues, f"'{info.filename}' is not of the size the archive says")
    return data


def _main(path: str, files: dict[str, bytes], issues: list[Issue]) -> str:
    """The model's member: the documented names first, else the only model of the topmost folder that has one."""
    stem = os.path.splitext(os.path.basename(path))[0]
    for name in ("model.xml", f"{stem}.xml", f"{stem}/{stem}.xml", f"{stem}/model.xml"):
        if (known := os.path.normpath(f"{path}/{name}")) in files:
            return known
    models = [name for name in files if name.lower().endswith(MODEL_SUFFIXES) and "__MACOSX" not in name and _root(files[name]) in ("mujoco", "robot")]
    if not models:
        _refuse(path, issues, "the archive holds no model", "It needs an MJCF or URDF file, best called model.xml")
    least = min(name.count(os.sep) for name in models)
    top = sorted(name for name in models if name.count(os.sep) == least)
    included = {os.path.normpath(os.path.join(os.path.dirname(name), file)) for name in top for file in _INCLUDE.findall(decode(files[name])[0])}
    found = [name for name in top if name not in included] or top
    if len(found) > 1:
        others = ", ".join(os.path.basename(name) for name in found[1:MAX_SHOWN])
        issues.append(Issue("warning", Place(found[0]), "", f"the archive holds several models; this is the first, the others are {others}",
                            "Call the one to open model.xml"))
    return found[0]


def _root(data: bytes) -> str:
    """The tag of an XML text's root in lower case, '' when it has none."""
    found = _ROOT.match(decode(data[:65536])[0])
    return found.group(1).lower() if found else ""
