"""Where the files of package:// paths are.

ROS finds a package by a register of its own; without one, a package is a folder of its name, beside the model or beside one of the
folders the model is in. `model://` (Gazebo) is read the same way, `file://` is a plain path.
Source: ROS wiki, "resource_retriever"; MuJoCo itself knows no such paths.
"""
from __future__ import annotations

import os

SCHEMES = ("package://", "model://")
MAX_LEVELS = 12   # folders to go up; a description lies three or four levels below its workspace


def candidates(source, folder: str, name: str) -> list[str]:
    """Paths at which a file may be, the likeliest first; one for a name without a scheme.

    source: the TextSource files are read from; folder: meshdir or the like, as written; name: as written, with forward slashes.
    """
    if name.startswith("file://"):
        return [source.join(folder, name.removeprefix("file://"))]
    scheme = next((scheme for scheme in SCHEMES if name.startswith(scheme)), None)
    if scheme is None:
        return [source.join(folder, name)]
    path = name.removeprefix(scheme).lstrip("/")
    package, _, rest = path.partition("/")
    found = [source.join(folder, path), source.join(folder, rest)]
    level = os.path.normpath(source.base or "")
    if not source.sealed:
        level = os.path.abspath(level)
    for _ in range(MAX_LEVELS):
        found.append(os.path.normpath(os.path.join(level, path)))
        if os.path.basename(level) == package:
            found.append(os.path.normpath(os.path.join(level, rest)))
        above = os.path.dirname(level)
        if above == level:
            break
        level = above
    return list(dict.fromkeys(found))
