"""Linkwork without a window: pictures, runs, checks and timings from the command line. No Qt.

    linkwork render MODEL -o picture.png [--size 1280x720] [--camera NAME] [--time T] [--flags "Joint,Contact Point"] ...
    linkwork run    MODEL --time T [--csv FILE]
    linkwork check  MODEL... [--strict]
    linkwork bench  MODEL [--seconds S]
    linkwork convert IN OUT     among .xml, .urdf (in only), .zip and .lwb
    linkwork dump   MODEL [--data] [-o FILE]

Exit codes: 0 done; 1 the model has errors or cannot do what was asked; 2 wrong arguments; 3 the simulation diverged;
4 no OpenGL. Messages for people go to the error stream; `--json` prints one JSON object on the output instead of text.
"""
from __future__ import annotations

import argparse
import json
import os
import sys
import time
from contextlib import ExitStack
from pathlib import Path

DONE, PROBLEM, USAGE, DIVERGED, NO_GL = range(5)
CHUNK = 200  # steps per compiled call while a run is watched
CSV_FIELDS = ("qpos", "qvel", "act", "ctrl", "actuator_force")
STAGE_STEPS = 300  # steps whose stages are timed


class Failed(Exception):
    """Ends the command with a message and an exit code."""

    def __init__(self, text: str, code: int = PROBLEM):
        super().__init__(text)
        self.code = code


# ---------------------------------------------------------------- arguments

def _size(text: str) -> tuple[int, int]:
    try:
        width, height = map(int, text.lower().split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size like 1280x720") from None
    if not (0 < width <= 16384 and 0 < height <= 16384):
        raise argparse.ArgumentTypeError(f"{text}: between 1 and 16384 pixels")
    return width, height


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e9:
        raise argparse.ArgumentTypeError(f"'{text}' is not a time in seconds")
    return value


def parser() -> argparse.ArgumentParser:
    """All headless commands and their options."""
    top = argparse.ArgumentParser(prog="linkwork", description="Linkwork without a window.")
    commands = top.add_subparsers(dest="command", required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--compat", default="4.0", help="version whose reading of the model is meant: 4.0, or 2.3 for older models")
    common.add_argument("--json", action="store_true", help="print one JSON object")
    start = argparse.ArgumentParser(add_help=False)
    start.add_argument("model", type=Path)
    start.add_argument("--key", default=None, help="start from this keyframe (name or number)")

    render = commands.add_parser("render", parents=[common, start], help="draw a picture")
    render.add_argument("-o", "--output", type=Path, required=True, help="file to write (png, jpg, ...)")
    render.add_argument("--size", type=_size, default=(1280, 720), help="as 1280x720")
    render.add_argument("--camera", default=None, help="'free', or a camera's name or number")
    render.add_argument("--time", type=_seconds, default=0.0, help="simulate so many seconds first")
    render.add_argument("--flags", default="", help="visualization and rendering flags to flip, separated by commas")
    render.add_argument("--quality", default="high", help="lowest, low, medium, high or classic")
    render.add_argument("--label", default="None", help="what to label: Body, Joint, Geom, ...")
    render.add_argument("--tree-depth", type=int, default=1, help="depth in the trees of bounding volumes that the flags Body Tree and Mesh Tree show")
    render.add_argument("--frame", default="None", help="frames to draw: Body, Geom, Site, Contact, World, ...")

    run = commands.add_parser("run", parents=[common, start], help="simulate")
    run.add_argument("--time", type=_seconds, required=True, help="seconds to simulate")
    run.add_argument("--csv", type=Path, default=None, help="write the motion, one row per step")
    run.add_argument("--every", type=int, default=1, help="write every n-th step only")

    check = commands.add_parser("check", parents=[common], help="list everything wrong with models")
    check.add_argument("models", nargs="+", type=Path)
    check.add_argument("--strict", action="store_true", help="warnings and models that can only be viewed count as errors")

    bench = commands.add_parser("bench", parents=[common, start], help="measure the speed of a step")
    bench.add_argument("--seconds", type=_seconds, default=2.0, help="how long to measure")

    convert = commands.add_parser("convert", parents=[common], help="write a model in another form")
    convert.add_argument("model", type=Path, help="file to read: .xml, .urdf, .zip or .lwb")
    convert.add_argument("output", type=Path, help="file to write: .xml, .zip (with all assets) or .lwb (compiled)")

    dump = commands.add_parser("dump", parents=[common, start], help="print every field of a model, or of its state")
    dump.add_argument("--data", action="store_true", help="the state after one forward pass in place of the model")
    dump.add_argument("--time", type=_seconds, default=0.0, help="with --data: simulate so many seconds first")
    dump.add_argument("--full", action="store_true", help="also all numbers of pictures and meshes")
    dump.add_argument("-o", "--output", type=Path, default=None, help="file to write; else the output")
    return top


# ---------------------------------------------------------------- models

def load(path: Path, compat: str, stand_ins: bool = False):
    """The compiled Model. stand_ins: take it with broken assets too, which are told about. Raises Failed with all problems of the file."""
    import physics

    if not path.is_file():
        raise Failed(f"{path}: there is no such file")
    try:
        return physics.load(path, compat=compat)
    except physics.ModelError as error:
        m = _with_stand_ins(path, compat) if stand_ins else None
        if m is None:
            raise Failed(str(error)) from None
        print(error, file=sys.stderr)
        return m


def _with_stand_ins(path: Path, compat: str):
    """The Model with stand-ins for what is broken; None where that is more than its assets."""
    import physics

    try:
        return physics.load(path, compat=compat, stand_ins=True)
    except physics.ModelError:
        return None


def data_of(m, key: str | None):
    """A Data at the start state or at a keyframe."""
    import physics

    d = physics.Data(m)
    if key is not None:
        try:
            physics.reset(m, d, int(key) if key.lstrip("-").isdigit() else key)
        except (KeyError, IndexError) as error:
            raise Failed(str(error.args[0])) from None
    return d


def kernels() -> None:
    """Make the engine callable, telling about longer compiling."""
    import physics

    told = []

    def progress(done, total, _symbol):
        if not told or done == total or time.monotonic() - told[-1] > 2:
            told.append(time.monotonic())
            print(f"compiling kernels {done} of {total}", file=sys.stderr)

    physics.ensure_kernels(progress)


def simulate(m, d, seconds: float, each=None, every: int = CHUNK) -> int:
    """Step until `seconds` have passed; the number of steps. each() is called after every `every` steps and at the end.

    Raises Failed where the model cannot be simulated or diverges.
    """
    import physics
    from physics.runtime.diagnose import divergence

    wanted = round(seconds / m.opt_timestep)
    done = 0
    while done < wanted:
        n = min(every, wanted - done)
        try:
            taken = physics.step(m, d, n)
        except physics.ViewOnlyError as error:
            raise Failed(str(error)) from None
        done += taken
        if taken < n:
            found = divergence(m, d)
            raise Failed(found.text if found else f"the step at time {d.time:g} s could not be completed", DIVERGED)
        if each is not None:
            each()
    return done


# ---------------------------------------------------------------- render

def _camera(m, name: str | None):
    from app.bridge import view
    from render.scene.camera import FIXED, CameraState

    if name is None:
        return view.default_camera(m)
    if name == "free":
        return view.free_camera(m)
    index = m.id("camera", name)
    if index < 0 and name.isdigit() and int(name) < m.ncam:
        index = int(name)
    if index < 0:
        known = ", ".join(n or str(i) for i, n in enumerate(m.names["camera"])) or "none"
        raise Failed(f"there is no camera '{name}'; the model's cameras: {known}")
    return CameraState(FIXED, fixedcamid=index)


def _options(arguments):
    """VisOptions of the command line."""
    from app.bridge.options import FRAMES, LABELS, VisOptions

    options = VisOptions()
    known = {name.lower(): name for name in (*options.flags, *options.render)}
    for flag in filter(None, map(str.strip, arguments.flags.split(","))):
        if flag.lower() not in known:
            raise Failed(f"there is no flag '{flag}'; there are: {', '.join(known.values())}", USAGE)
        options.toggle(known[flag.lower()])
    for what, names in (("label", LABELS), ("frame", FRAMES)):
        chosen = {n.lower(): n for n in names}.get(getattr(arguments, what).lower())
        if chosen is None:
            raise Failed(f"--{what} takes one of {', '.join(names)}", USAGE)
        setattr(options, what, chosen)
    options.bvh_depth = arguments.tree_depth
    return options


def _come_to(m, d, seconds: float) -> None:
    """Simulate so many seconds and compute all that follows from the state; of a model that can only be viewed the poses."""
    import physics
    from physics.engine.kinematics import kinematics

    kernels()
    if seconds > 0:
        simulate(m, d, seconds)
    try:
        physics.forward(m, d)
    except physics.ViewOnlyError:
        kinematics(m, d)


def _moment(m, d, seconds: float):
    """Snapshot after so many seconds; a model that can only be viewed stays at its start."""
    from physics.runtime.snapshot import Snapshot

    _come_to(m, d, seconds)
    snapshot = Snapshot(m, d, 1)
    snapshot.copy_from(d)
    return snapshot


def picture(m, snapshot, options, camera, size, quality: str = "high"):
    """(height, width, 3) uint8 with labels. Raises Failed where there is no OpenGL."""
    import moderngl

    from app.bridge import build_scene
    from app.bridge.view import view_of
    from render.annotate import draw_labels
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
    return draw_labels(rgb, scene.labels, view)


def command_render(arguments) -> dict:
    """Draw a picture into a file."""
    from PIL import Image

    if arguments.output.suffix.lower() not in Image.registered_extensions():
        raise Failed(f"{arguments.output}: '{arguments.output.suffix}' is no picture format; use .png", USAGE)
    from render.quality import QUALITIES

    if arguments.quality not in QUALITIES:
        raise Failed(f"--quality takes one of {', '.join(QUALITIES)}", USAGE)
    options = _options(arguments)
    m = load(arguments.model, arguments.compat, stand_ins=True)
    camera = _camera(m, arguments.camera)
    snapshot = _moment(m, data_of(m, arguments.key), arguments.time)
    image = picture(m, snapshot, options, camera, arguments.size, arguments.quality)
    try:
        Image.fromarray(image).save(arguments.output)
    except OSError as error:
        raise Failed(f"{arguments.output} cannot be written: {error}") from None
    width, height = arguments.size
    return {"text": f"{arguments.output}: {width} x {height}, time {snapshot.time:g} s", "output": str(arguments.output), "time": snapshot.time,
            "size": [width, height]}


# ---------------------------------------------------------------- run

def _columns(m) -> list[str]:
    """Names of the CSV columns: coordinates carry their joint's name."""
    names = ["time"]
    for field, adr in (("qpos", m.jnt_qposadr), ("qvel", m.jnt_dofadr)):
        ends = [*adr[1:], m.nq if field == "qpos" else m.nv]
        for j in range(m.njnt):
            joint = m.name("joint", j) or str(j)
            n = int(ends[j] - adr[j])
            names += [f"{field}:{joint}" + (f":{k}" if n > 1 else "") for k in range(n)]
    for field, n in (("act", m.na), ("ctrl", m.nu), ("actuator_force", m.nout)):
        names += [f"{field}:{k}" for k in range(n)]
    return names


def command_run(arguments) -> dict:
    """Simulate, write the motion, and say how it went."""
    import csv

    import numpy as np

    m = load(arguments.model, arguments.compat, stand_ins=True)
    d = data_of(m, arguments.key)
    if arguments.every < 1:
        raise Failed("--every needs a number of steps above 0", USAGE)
    kernels()
    with ExitStack() as stack:
        each = None
        if arguments.csv is not None:
            try:
                file = stack.enter_context(open(arguments.csv, "w", newline="", encoding="utf-8"))
            except OSError as error:
                raise Failed(f"{arguments.csv} cannot be written: {error.strerror}") from None
            writer = csv.writer(file)
            writer.writerow(_columns(m))

            def each():
                writer.writerow([repr(d.time), *map(repr, np.concatenate([np.ravel(getattr(d, f)) for f in CSV_FIELDS]).tolist())])

            each()
        start, begin = time.perf_counter(), d.time
        steps = simulate(m, d, arguments.time, each, arguments.every if each else CHUNK)
        wall = time.perf_counter() - start
    warnings = {int(k): int(n) for k, n in enumerate(d.warning_number) if n}
    simulated = d.time - begin
    return {"text": f"{steps} steps, {simulated:g} s simulated in {wall:.3g} s ({simulated / wall if wall else 0:.3g} times real time), "
                    f"{d.ncon} contacts, {d.nefc} constraint rows at the end, {d.maxuse_con} and {d.maxuse_efc} at most",
            "steps": steps, "time": d.time, "wall": wall, "ncon": d.ncon, "nefc": d.nefc, "maxuse_con": d.maxuse_con,
            "maxuse_efc": d.maxuse_efc, "warnings": warnings, "qpos": d.qpos.tolist(), "qvel": d.qvel.tolist()}


# ---------------------------------------------------------------- check

def _issue(issue) -> dict:
    place = issue.place
    return {"severity": issue.severity, "file": place.file if place else "", "line": place.line if place else 0,
            "column": place.column if place else 0, "path": issue.path, "what": issue.what, "hint": issue.hint}


def _problems(path: Path, compat: str) -> list:
    """All issues of one file, errors or not."""
    import physics
    from physics.errors import Issue, Place
    from physics.mjcf.reader import read

    if not path.is_file():
        return [Issue("error", Place(str(path)), "", "there is no such file", "")]
    if path.suffix.lower() == ".lwb":   # holds no text
        try:
            return list(physics.load(path).view_only)
        except physics.ModelError as error:
            return list(error.issues)
    result = read(path)
    try:
        m = physics.compile_root(result, compat=compat)
    except physics.ModelError as error:
        found = list(error.issues)
    else:
        found = list(m.view_only)
    seen = {(i.place, i.what) for i in found}
    return found + [i for i in result.issues if (i.place, i.what) not in seen]


def command_check(arguments) -> dict:
    """List every problem of every file."""
    bad, files, lines = 0, [], []
    for path in arguments.models:
        issues = _problems(path, arguments.compat)
        worst = any(i.severity == "error" for i in issues)
        bad += worst or (arguments.strict and bool(issues))
        verdict = "has errors" if worst else "can be viewed only" if any(i.severity == "view" for i in issues) else "ok"
        files.append({"model": str(path), "verdict": verdict, "issues": [_issue(i) for i in issues]})
        lines += [*map(str, issues), f"{path}: {verdict}"]
    return {"text": "\n".join(lines), "code": PROBLEM if bad else DONE, "models": files}


# ---------------------------------------------------------------- bench

def _stage_shares(m, d) -> dict:
    """Share of each stage in a step, clocks included."""
    from physics import stepping
    from physics.runtime.profile import STAGES, Profile

    profile = Profile(time.thread_time)
    for _ in range(STAGE_STEPS):
        while not profile.step(m, d):
            if not stepping.grow(d):
                raise Failed("the simulation diverged while its stages were timed", DIVERGED)
    per_step = profile.per_step()
    return {name: per_step[name] / per_step["total"] for name in STAGES}


def command_bench(arguments) -> dict:
    """Measure steps per second of CPU time, and which stage takes what share."""
    import statistics

    import physics

    m = load(arguments.model, arguments.compat)
    d = data_of(m, arguments.key)
    kernels()
    simulate(m, d, 0.2)
    window, costs = 1, []
    end = time.thread_time() + arguments.seconds
    while time.thread_time() < end or len(costs) < 3:
        start = time.thread_time()
        if physics.step(m, d, window) < window:
            physics.reset(m, d)
            continue
        spent = time.thread_time() - start
        if spent < 2e-3:
            window *= 2
            continue
        costs.append(spent / window)
    cost, best = statistics.median(costs), min(costs)
    shares = _stage_shares(m, d)
    lines = [f"{1 / cost:,.0f} steps/s ({1e6 * cost:.2f} us per step, best {1e6 * best:.2f}), {m.opt_timestep / cost:,.1f} times real time",
             f"nv {m.nv}, contacts {d.ncon}, constraint rows {d.nefc}, solver iterations {d.solver_niter}"]
    lines += [f"{name:>13} {100 * share:5.1f} %" for name, share in sorted(shares.items(), key=lambda item: -item[1])]
    return {"text": "\n".join(lines), "steps_per_second": 1 / cost, "us_per_step": 1e6 * cost, "best_us": 1e6 * best, "nv": m.nv, "ncon": d.ncon,
            "nefc": d.nefc, "solver_niter": d.solver_niter, "stages": shares}


# ---------------------------------------------------------------- convert and dump

def command_convert(arguments) -> dict:
    """Read a model and write it in another form."""
    import physics

    ending = arguments.output.suffix.lower()
    if ending not in (".xml", ".zip", ".lwb"):
        raise Failed(f"{arguments.output}: a model is written as .xml, .zip or .lwb, not as '{ending}'", USAGE)
    if arguments.output.resolve() == arguments.model.resolve():
        raise Failed(f"{arguments.output}: this would replace the model that is read", USAGE)
    m = load(arguments.model, arguments.compat)
    try:
        warnings = physics.save(m, arguments.output)
    except OSError as error:
        raise Failed(f"{arguments.output} cannot be written: {error}") from None
    lines = [*(f"warning: {w}" for w in warnings), f"{arguments.output}: {arguments.output.stat().st_size} bytes"]
    return {"text": "\n".join(lines), "output": str(arguments.output), "warnings": list(warnings)}


def command_dump(arguments) -> dict:
    """Every field of a model or of a state, as text."""
    from physics.atomic import write_file
    from physics.writer import dump

    m = load(arguments.model, arguments.compat)
    if arguments.data:
        d = data_of(m, arguments.key)
        _come_to(m, d, arguments.time)
        text = dump.dump_data(d, arguments.full)
    else:
        text = dump.dump_model(m, arguments.full)
    if arguments.output is None:
        return {"text": text, "dump": text}
    try:
        write_file(arguments.output, text)
    except OSError as error:
        raise Failed(f"{arguments.output} cannot be written: {error}") from None
    return {"text": f"{arguments.output}: {len(text)} characters", "output": str(arguments.output)}


def main(arguments: list[str] | None = None) -> int:
    """Run one headless command; the exit code."""
    chosen = parser().parse_args(arguments)
    command = {"render": command_render, "run": command_run, "check": command_check, "bench": command_bench, "convert": command_convert,
               "dump": command_dump}[chosen.command]
    try:
        result = command(chosen)
    except Failed as why:
        print(json.dumps({"error": str(why), "code": why.code}) if chosen.json else f"linkwork {chosen.command}: {why}",
              file=sys.stdout if chosen.json else sys.stderr)
        return why.code
    code, text = result.pop("code", DONE), result.pop("text")
    try:
        print(json.dumps(result) if chosen.json else text, flush=True)
    except BrokenPipeError:   # the reader, a pager perhaps, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


if __name__ == "__main__":
    sys.exit(main())
