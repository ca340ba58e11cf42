"""From the tree of elements to a Model: the passes, in order.

All problems of a file, the reader's and the compiler's, are gathered and raised together.
"""
from __future__ import annotations

import functools
import gc
import os
from collections.abc import Callable, Mapping

import numpy as np

from physics.compiler import engine_choice, settings, view_only
from physics.compiler.assets import asset_records, hfields, skins
from physics.compiler.assets.asset_memory import AssetMemory
from physics.compiler.build import Build, allocated
from physics.compiler.compat import discard
from physics.compiler.compat.compat import convert_margins, dialect
from physics.compiler.derived import constants, finite_check, length_range, structure
from physics.compiler.derived.collision_pairs import build_pairs
from physics.compiler.elements import actuators, bodies, cameras_lights, equality, extras, geoms, inertia, joints, pairs, sensors, sites, tendons
from physics.compiler.mesh import bvh, meshes
from physics.compiler.texture import materials
from physics.errors import Issue, ModelError
from physics.mjcf.reader import ReadResult, read, read_text
from physics.model.model import Model


def _nothing() -> None:
    """What happens between two passes where nobody has anything to do there."""


def undisturbed(compile_it: Callable) -> Callable:
    """A function that the garbage collector does not interrupt, and that NumPy says nothing about.

    A compile makes many objects and drops few, so that looking for rings is wasted. What comes of absurd numbers is told as an issue,
    or is in the Model as it would be in the official one.
    """

    @functools.wraps(compile_it)
    def run(*arguments, **options):
        was_on = gc.isenabled()
        gc.disable()
        try:
            with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
                return compile_it(*arguments, **options)
        finally:
            if was_on:
                gc.enable()

    return run


@undisturbed
def load(path: str | os.PathLike, compat: str = "4.0", stand_ins: bool = False) -> Model:
    """Read and compile a model file; a compiled one (.lwb) is only read. stand_ins: as of compile_root. Raises ModelError with everything wrong in it."""
    if os.fspath(path).lower().endswith(".lwb"):
        from physics.model import lwb  # late: few programs need it

        return lwb.load(path)
    return compile_root(read(path), compat, stand_ins)


@undisturbed
def load_string(text: str, name: str = "model.xml", base_dir: str | os.PathLike | None = None,
                files: Mapping[str, str | bytes] | None = None, compat: str = "4.0", stand_ins: bool = False) -> Model:
    """Compile a model from text; includes and textures are looked up in `files`, then in base_dir. stand_ins: as of compile_root."""
    return compile_root(read_text(text, name, base_dir, files), compat, stand_ins)


@undisturbed
def compile_root(read_result: ReadResult, compat: str = "4.0", stand_ins: bool = False, between: Callable[[], None] = _nothing,
                 keep: Callable[[Build, Model], None] | None = None, memory: AssetMemory | None = None) -> Model:
    """Build the Model of a tree that was read.

    read_result: of physics.mjcf.reader, with its issues; warnings and notes are added to them. compat: the dialect, '4.0' or '2.3' (compiler/compat/compat.py).
    stand_ins: replace broken textures, meshes, height fields and skins, so that the rest can be drawn, in place of refusing the model: what is wrong
    becomes a warning or a reason to view only. between: called between passes, where a program with a window can wait.
    keep: called with the build and the finished Model, and has to see to it that the build is taken apart when it is not needed any more. memory: of assets, asked before
    these are read and told of what was made. Raises ModelError with all issues of severity error; those of severity view go to model.view_only.
    """
    if read_result.root is None or read_result.root.tag != "mujoco":
        raise ModelError(read_result.issues)
    compat, wrong = dialect(read_result, compat)
    if wrong:
        raise ModelError(_ordered(read_result, wrong, read_result.sources))
    build, model = Build(read_result, compat, stand_ins, memory), None
    if memory is not None:
        memory.begin()
    try:
        model = _compiled(read_result, build, between)
    finally:
        if memory is not None:
            memory.end(model is not None)
        if model is None or keep is None:
            take_apart(build)
    model.compat = compat
    model.seal()
    if keep is not None:
        keep(build, model)
    return model


def take_apart(build: Build) -> None:
    """Let go of what was made for a compile, piece by piece: items refer to one another in rings, and Python's collector would free all of them in one
    go, which holds the interpreter's lock, and with it a window, for most of a second where there are 50,000."""
    for items in build.items.values():
        for item in items:
            item.__dict__.clear()
    vars(build).clear()


def _compiled(read_result: ReadResult, build: Build, between: Callable[[], None]) -> Model:
    """The Model of what `build` reads. Raises ModelError."""
    known = any(i.severity == "error" for i in read_result.issues)
    model = None
    try:
        gather(build, between)
        if not known and not build.problems.fatal:
            model = assemble(build, between)
    except Exception:
        # values that the reader has refused can trip a pass; without such values it is our mistake
        if not known and not build.problems.fatal:
            raise
    if known or build.problems.fatal:
        raise ModelError(_ordered(read_result, build.problems.issues, build.source.expanded.sources))
    read_result.issues.extend(issue for issue in build.problems.issues if issue.severity in ("warning", "note"))
    return model


def _discard(build: Build) -> None:
    if build.source.settings.discardvisual:
        discard.discard_visual(build)


def _statistic(build: Build) -> None:
    build.words.statistic = settings.statistic(build)


# reading all elements into items, checking them, and filling fields from them, in this order
READING = (
    settings.compiler, settings.option, engine_choice.engine, settings.sizes, settings.visual, _discard, materials.gather_textures, materials.gather, meshes.gather, hfields.gather, skins.gather, bodies.gather,
    inertia.check_moving, tendons.gather, actuators.gather, equality.gather, pairs.gather, pairs.excludes, extras.customs, sensors.gather, extras.tuples,
    joints.fill, bodies.fill, geoms.fill, bvh.fill, sites.fill, cameras_lights.fill, materials.fill, hfields.fill, skins.fill, meshes.fill, tendons.fill,
    actuators.fill, equality.fill, pairs.fill, sensors.fill, _statistic, extras.keyframes,
)


def gather(build: Build, between: Callable[[], None] = _nothing) -> None:
    """Read all elements into items, and check them; between() is called after each pass."""
    for read_elements in READING:
        read_elements(build)
        between()


def assemble(build: Build, between: Callable[[], None] = _nothing) -> Model:
    """Compute what follows from all items together, and copy it into a Model; between() is called after each of the longer passes."""
    structure.build_structure(build)
    between()
    constants.set_constants(build, build.words.statistic)
    if build.problems.fatal:
        return None
    between()
    model = allocated(build)
    between()
    finite_check.check_finite(build, model)
    if build.problems.fatal:
        return None
    asset_records.keep(build, model)
    convert_margins(build, model)
    build_pairs(model)
    between()
    view_only.sensors(build, model)
    length_range.compute(build, model)
    view_only.collect(build, model)
    return model


def _ordered(read_result: ReadResult, more: list[Issue], sources) -> list[Issue]:
    """All issues by file and place; a value that the reader has reported is not reported again."""
    reported = {i.place for i in read_result.issues if i.severity == "error"}
    more = [i for i in more if i.place not in reported]
    order = {name: k for k, name in enumerate({**read_result.sources, **sources})}
    place = lambda i: (order.get(i.place.file, 0), i.place.line, i.place.column) if i.place else (-1, 0, 0)  # noqa: E731
    return sorted([*read_result.issues, *more], key=place)
