"""linkwork render: a picture of a model, or a film."""
from __future__ import annotations

from app.headless.arrays import SUFFIXES, write_arrays
from app.headless.models import come_to, data_of, load
from app.headless.opengl import offscreen_renderer
from app.headless.outcome import USAGE, Failed
from physics.runtime.snapshot import Snapshot

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
    from app.bridge.options import FRAMES, LABELS, LOOKS, QUANTITY_FLAGS, RENDER_FLAGS, VIS_FLAGS, VisOptions
    from render.scene.snapshot import COLOUR

    options = VisOptions()
    flags = VIS_FLAGS + RENDER_FLAGS + QUANTITY_FLAGS
    known = {word.lower(): flag.name for flag in flags for word in (flag.name, flag.title)}
    for wanted in filter(None, map(str.strip, arguments.flags.split(","))):
        if wanted.lower() not in known:
            raise Failed(f"there is no flag '{wanted}'; there are: {', '.join(flag.title for flag in flags)}", USAGE)
        options.toggle(known[wanted.lower()])
    for what, names in (("label", LABELS), ("frame", FRAMES), ("look", LOOKS)):
        chosen = {n.lower(): n for n in names}.get(getattr(arguments, what).lower())
        if chosen is None:
            raise Failed(f"--{what} takes one of {', '.join(names)}", USAGE)
        setattr(options, what, chosen)
    options.bvh_depth, options.show = arguments.tree_depth, arguments.show or COLOUR
    options.explained = arguments.legend
    options.factors.update(arguments.scale)
    return options


def _frame_state(m, d, seconds: float):
    """Snapshot after so many seconds; a model that can only be viewed stays at its start."""
    come_to(m, d, seconds)
    snapshot = Snapshot(m, d, 1)
    snapshot.copy_from(d)
    return snapshot


def command_render(arguments) -> dict:
    """Draw a picture or a film into a file, or write what a camera measures."""
    from app.film.formats import FilmError, check_size, is_film
    from render.quality import QUALITIES

    output, film = arguments.output, is_film(arguments.output)
    as_arrays = output.suffix.lower() in SUFFIXES and not film
    if not as_arrays:
        _check_output(arguments, film)
    if arguments.quality not in QUALITIES:
        raise Failed(f"--quality takes one of {', '.join(QUALITIES)}", USAGE)
    options = _options(arguments)
    m = load(arguments.model, arguments.compat, stand_ins=True, engine=arguments.engine)
    camera, d = _camera(m, arguments.camera), data_of(m, arguments.key)
    arguments.size = _size(m, camera, arguments.size)
    try:
        check_size(*arguments.size)
    except FilmError as error:
        raise Failed(str(error), USAGE) from None
    if film:
        from app.headless.film import write_film

        return write_film(arguments, m, d, options, camera)
    snapshot = _frame_state(m, d, arguments.time)
    return write_arrays(arguments, m, snapshot, options, camera, arguments.size) if as_arrays else _write_picture(arguments, snapshot, options, camera)


def _check_output(arguments, film: bool) -> None:
    """Refuse a name or background that no picture or film can have."""
    from app.film.formats import FilmError, check_film, picture_format
    from render.scene.snapshot import COLOUR

    try:
        check_film(arguments.output, arguments.transparent) if film else picture_format(arguments.output, arguments.transparent)
    except FilmError as error:
        raise Failed(str(error), USAGE) from None
    if arguments.transparent and (arguments.show or COLOUR) != COLOUR:
        raise Failed("--transparent is for pictures in colour, not with --show", USAGE)
    if not film and arguments.duration is not None:
        raise Failed(f"{arguments.output}: a picture has no duration; name a film (.mp4) or numbered pictures (frame_%05d.png)", USAGE)


def _write_picture(arguments, snapshot: Snapshot, options, camera) -> dict:
    from app.film.formats import FilmError, picture_format
    from app.film.offscreen_renderer import Texts, time_caption
    from app.film.writers import write_picture

    caption = time_caption(snapshot.time, 1) if arguments.caption else ""
    with offscreen_renderer(arguments.quality) as drawn:
        image = drawn.shot(snapshot, options, camera, arguments.size, Texts(caption=caption), arguments.transparent)
    try:
        write_picture(arguments.output, image, picture_format(arguments.output))
    except FilmError as error:
        raise Failed(str(error)) from None
    width, height = arguments.size
    return {"text": f"{arguments.output}: {width} x {height}, time {snapshot.time:g} s", "output": str(arguments.output), "time": snapshot.time,
            "size": [width, height]}
