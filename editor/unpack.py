"""An archive's files beside one another on the disk, so that its model can be edited."""
import os
from pathlib import Path

from physics.files.atomic_write import write_file
from physics.mjcf.archive import open_archive


def unpack(archive: Path, target: Path) -> None:
    """Write the archive's model as `target` and its other files around it, as they lie around the model in the archive.

    Nothing is written outside the target's folder, and no file that is there already with another
    content is touched but the target itself. Raises OSError, before anything is written, where that is not possible.
    """
    held = open_archive(str(archive))
    if not held.main:
        raise OSError(f"{archive.name} cannot be unpacked: {held.issues[0].what}")
    home, folder = os.path.dirname(held.main), target.parent
    files = {}
    for name, data in held.files.items():
        if name == held.main:
            continue
        inside = os.path.relpath(name, home)
        if inside.startswith(os.pardir):
            raise OSError(f"{archive.name}: '{os.path.relpath(name, archive)}' lies outside the model's own folder; unpack the archive by hand")
        files[folder / inside] = data
    in_the_way = [path for path, data in files.items() if path == target or (path.exists() and not _holds(path, data))]
    if in_the_way:
        raise OSError(f"{in_the_way[0]} is in the way: choose an empty folder")
    for path, data in files.items():
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, data)
    write_file(target, held.files[held.main])


def _holds(path: Path, data: bytes) -> bool:
    return path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data
