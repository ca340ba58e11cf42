"""linkwork render: a picture of a model."""
from __future__ import annotations

from app.headless.arrays import SUFFIXES, write_arrays
from app.headless.models import come_to, data_of, load
from app.headless.outcome import NO_GL, USAGE, Failed

DEFAULT_SIZE = (1280, 720)


def _camera(m, name: str | None):
    from app.pictures import camera_named

    try:
        return camera_named(m, name)
    except KeyError as error:
        raise Failed(error.args[0]) from None


def _size(m, camera, wanted) -> tuple[int, int]:
    """The size asked for, else the camera's own resolution, else the usual one."""
    from app.pictures import resolution_of

    return wanted or resolution_of(m, camera) or DEFAULT_SIZE


def _options(arguments):
    """VisOptions of the command line."""
    from app.bridge.options import FRAMES, LABELS, VisOptions
    from render.scene.snapshot import COLOUR

    options = VisOptions()
    known = {name.lower(): name for name in (*options.flags, *options.render, *options.quantities)}
    for flag in filter(None, map(str.strip, arguments.flags.split(","))):
        if flag.lower() not in known:
            raise Failed(f"there is no flag '{flag}'; there are: {', '.join(known.values())}", USAGE)
        options.toggle(known[flag.lower()])
    for what, names in (("label", LABELS), ("frame", FRAMES)):
        chosen = {n.lower(): n for n in names}.get(getattr(arguments, what).lower())
        if chosen is None:
            raise Failed(f"--{what} takes one of {', '.join(names)}", USAGE)
        setattr(options, what, chosen)
    options.bvh_depth, options.show = arguments.tree_depth, arguments.show or COLOUR
    options.factors.update(arguments.scale)
    return options


def _moment(m, d, seconds: float):
    """Snapshot after so many seconds; a model that can only be viewed stays at its start."""
    from physics.runtime.snapshot import Snapshot

    come_to(m, d, seconds)
    snapshot = Snapshot(m, d, 1)
    snapshot.copy_from(d)
    return snapshot


def picture(m, snapshot, options, camera, size, quality: str = "high"):
    """(height, width, 3) uint8 with labels and legend. Raises Failed where there is no OpenGL."""
    import moderngl

    from app.bridge import build_scene
    from app.bridge.view import view_of
    from render.annotate import annotate
    from render.offscreen import Offscreen
    from render.quality import QUALITIES
    from render.scene.snapshot import Scene

    options.camera = camera
    scene, view = build_scene(m, snapshot, options, Scene()), view_of(m, snapshot, camera)
    try:
        offscreen = Offscreen(*size, QUALITIES[quality])
    except (RuntimeError, ValueError, moderngl.Error) as error:
        raise Failed(f"OpenGL cannot be used here: {error}", NO_GL) from None
    try:
        with offscreen:
            rgb = offscreen.rgb(scene, view)
    except (moderngl.Error, MemoryError) as error:
        raise Failed(f"OpenGL cannot draw a picture of {size[0]} x {size[1]} here: {error}", NO_GL) from None
    return annotate(rgb, scene, view)


def command_render(arguments) -> dict:
    """Draw a picture into a file."""
    from PIL import Image

    as_arrays = arguments.output.suffix.lower() in SUFFIXES
    if not as_arrays and arguments.output.suffix.lower() not in Image.registered_extensions():
        raise Failed(f"{arguments.output}: '{arguments.output.suffix}' is no picture format; use .png", USAGE)
    from render.quality import QUALITIES

    if arguments.quality not in QUALITIES:
        raise Failed(f"--quality takes one of {', '.join(QUALITIES)}", USAGE)
    options = _options(arguments)
    m = load(arguments.model, arguments.compat, stand_ins=True)
    camera = _camera(m, arguments.camera)
    snapshot = _moment(m, data_of(m, arguments.key), arguments.time)
    size = _size(m, camera, arguments.size)
    if as_arrays:
        return write_arrays(arguments, m, snapshot, options, camera, size)
    image = picture(m, snapshot, options, camera, size, arguments.quality)
    try:
        Image.fromarray(image).save(arguments.output)
    except OSError as error:
        raise Failed(f"{arguments.output} cannot be written: {error}") from None
    width, height = size
    return {"text": f"{arguments.output}: {width} x {height}, time {snapshot.time:g} s", "output": str(arguments.output), "time": snapshot.time,
            "size": [width, height]}
