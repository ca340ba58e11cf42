"""linkwork render MODEL -o depth.npy: what a camera measures, as arrays in NumPy's files.

A .npz holds every array of app.pictures.MEANING and `meaning`, their units in words. A .npy holds one: what --show asks for, or else what
the file's name begins with.
"""
from __future__ import annotations

from app.headless.outcome import NO_GL, USAGE, Failed
from physics.runtime.snapshot import Snapshot

SUFFIXES = (".npy", ".npz")
# --show, array of app.pictures.MEANING, what a file's name may begin with
ONE_ARRAY = (("colour", "rgb", ("rgb", "colour", "color")), ("depth", "depth", ("depth",)), ("segment", "segmentation", ("seg", "id", "type")),
             ("type", "segmentation", ()), ("id", "segmentation", ()), ("normal", "normal", ("normal",)))


def array_asked(stem: str, show: str | None) -> str:
    """Name of the one array that a .npy holds. Raises Failed where neither option nor file name says."""
    for shown, name, starts in ONE_ARRAY:
        if show == shown or (show is None and stem.lower().startswith(starts)):
            return name
    raise Failed(f"{stem}.npy: which array? Give --show, a name that begins with rgb, depth, seg or normal, or write all of them into a .npz", USAGE)


def write_arrays(arguments, m, snapshot: Snapshot, options, camera, size) -> dict:
    """Write what the camera measures; the command's result."""
    import moderngl
    import numpy as np

    from app.pictures import MEANING, Pictures

    path = arguments.output
    asked = array_asked(path.stem, arguments.show) if path.suffix.lower() == ".npy" else None
    options.show = "colour"
    try:
        with Pictures(m, *size, options, arguments.quality) as pictures:
            pictures.look(snapshot, camera)
            arrays = pictures.everything()
    except (RuntimeError, ValueError, MemoryError, moderngl.Error) as error:
        raise Failed(f"OpenGL cannot draw a picture of {size[0]} x {size[1]} here: {error}", NO_GL) from None
    meaning = dict(MEANING)
    try:
        if asked:
            np.save(path, arrays[asked])
        else:
            np.savez_compressed(path, **arrays, time=snapshot.time, meaning=np.array([f"{name}: {text}" for name, text in MEANING]))
    except OSError as error:
        raise Failed(f"{path} cannot be written: {error}") from None
    held = [asked] if asked else list(arrays)
    told = "\n".join(f"  {name} {' x '.join(map(str, arrays[name].shape))} {arrays[name].dtype.name}: {meaning[name]}" for name in held)
    return {"text": f"{path}: time {snapshot.time:g} s\n{told}", "output": str(path), "time": snapshot.time, "size": list(size), "arrays": held}
