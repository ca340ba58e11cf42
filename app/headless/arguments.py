"""All headless commands and their options."""
from __future__ import annotations

import argparse
from fractions import Fraction
from pathlib import Path

from app.headless.demo.arguments import add_demo_arguments
from app.headless.driving.page_arguments import add_page_arguments
from app.headless.driving.policy import add_policy_arguments

REDUCED = ("min", "max", "mean", "last", "integral", "holds")  # as physics.tuning.reductions.REDUCTIONS
ENGINES = ("soft", "hard")  # as physics.enums.Engine
ENGINE_HELP = "which engine moves the model: soft (MuJoCo's constraints) or hard (exact contacts); else as the model says"
SHOWN = ("colour", "depth", "segment", "type", "id", "normal")  # as render.scene.snapshot.SHOWN, which argument errors need not wait for


def _size(text: str) -> tuple[int, int]:
    try:
        width, height = map(int, text.lower().split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size like 1280x720") from None
    if not (0 < width <= 32768 and 0 < height <= 32768):
        raise argparse.ArgumentTypeError(f"{text}: between 1 and 32768 pixels")
    return width, height


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e9:
        raise argparse.ArgumentTypeError(f"'{text}' is not a time in seconds")
    return value


def _factors(text: str) -> dict[str, float]:
    from app.bridge.options import QUANTITY_SCALES

    out = {}
    for part in filter(None, map(str.strip, text.split(","))):
        name, _, value = part.partition("=")
        try:
            out[name.strip()] = float(value)
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{part}' is not of the form force=2") from None
        if name.strip() not in QUANTITY_SCALES or not 0 < out[name.strip()] < 1e9:
            raise argparse.ArgumentTypeError(f"'{part}': a number above 0 for one of {', '.join(QUANTITY_SCALES)}")
    return out


def _positive(text: str) -> float:
    value = _seconds(text)
    if not value > 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not above 0")
    return value


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) > 4096:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of threads from 0 to 4096")
    return int(text)


def _rate(text: str) -> Fraction:
    from app.film.formats import frame_rate

    try:
        return frame_rate(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _film_arguments(render: argparse.ArgumentParser) -> None:
    render.add_argument("--transparent", action="store_true", help="transparent background in place of the sky (.png, .webp, .tif, numbered ones too; films: .mov, .webm, .mkv)")
    render.add_argument("--caption", action="store_true", help="write the time on the picture")
    film = render.add_argument_group("films", "made where OUTPUT is a video (.mp4 .m4v .mov .mkv .webm) or numbered pictures (folder/frame_%05d.png)")
    film.add_argument("--duration", type=_positive, default=None, help="simulated seconds to show (5)")
    film.add_argument("--fps", type=_rate, default=Fraction(60), help="frames per second of film, as 60, 29.97 or 30000/1001")
    film.add_argument("--speed", type=_positive, default=1.0, help="simulated seconds per second of film: 0.25 is slow motion")
    film.add_argument("--encoding", choices=("small", "good", "best"), default="good", help="size of the file against fidelity")
    film.add_argument("--codec", default=None, help="encoder to use in place of the format's own, by FFmpeg's name: libx264, libx265, ...")


class _ListSources(argparse.Action):
    """Ends the program, as --help does: no model is needed."""

    def __call__(self, parser, namespace, values, option=None):
        from app.inputs.listing import listed

        print("\n".join(map(str, listed())))
        parser.exit()


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
    start.add_argument("--engine", choices=ENGINES, default=None, help=ENGINE_HELP)

    render = commands.add_parser("render", parents=[common, start], help="draw a picture or a film")
    render.add_argument("-o", "--output", type=Path, required=True,
                        help="file to write (png, jpg, ...; mp4, ... for a film; npy or npz: what the camera measures as arrays)")
    render.add_argument("--size", type=_size, default=None, help="as 1280x720; without it the camera's own resolution, or that")
    render.add_argument("--show", choices=SHOWN, default=None, help="distances, things, types, numbers or normals in place of colours")
    render.add_argument("--legend", action="store_true", help="say in the picture what the colours of --show mean")
    render.add_argument("--camera", default=None, help="'free', or a camera's name or number")
    render.add_argument("--time", type=_seconds, default=0.0, help="simulate so many seconds first")
    render.add_argument("--flags", default="", help="visualization and rendering flags, forces and motion to flip, separated by commas")
    render.add_argument("--scale", type=_factors, default={}, help="size of forces and motion, as force=2,speed=.5 (1: what suits the model)")
    render.add_argument("--quality", default="high", help="lowest, low, medium, high or classic")
    render.add_argument("--look", default="classic", help="classic, as the official picture, or physical: light from the environment, gloss, ambient occlusion")
    render.add_argument("--label", default="None", help="what to label: Body, Joint, Geom, ...")
    render.add_argument("--tree-depth", type=int, default=1, help="depth in the trees of bounding volumes that the flags Body Tree and Mesh Tree show")
    render.add_argument("--frame", default="None", help="frames to draw: Body, Geom, Site, Contact, World, ...")
    _film_arguments(render)
    _exec_arguments(commands)

    run = commands.add_parser("run", parents=[common, start], help="simulate")
    run.add_argument("--time", type=_seconds, required=True, help="seconds to simulate")
    run.add_argument("--csv", type=Path, default=None, help="write the motion, one row per step")
    run.add_argument("--every", type=int, default=1, help="write every n-th step only")

    check = commands.add_parser("check", parents=[common], help="list everything wrong with models")
    check.add_argument("models", nargs="+", type=Path)
    check.add_argument("--strict", action="store_true", help="warnings and models that can only be viewed count as errors; notes do not")
    check.add_argument("--engine", choices=ENGINES, default=None, help="hard: also list what the hard engine refuses and what it leaves out of account")
    check.add_argument("--lint", action="store_true", help="also look for what is likely to be wrong in models that compile (docs/editing.md lists the rules)")
    check.add_argument("--rule", action="append", metavar="ID", help="with --lint: this rule only (may be repeated)")
    check.add_argument("--fix", action="store_true", help="with --lint: mend what can be mended without changing the motion, and write the files")

    bench = commands.add_parser("bench", parents=[common, start], help="measure the speed of a step")
    bench.add_argument("--seconds", type=_seconds, default=2.0, help="how long to measure")

    _compare_arguments(commands, common)
    convert = commands.add_parser("convert", parents=[common], help="write a model in another form")
    convert.add_argument("model", type=Path, help="file to read: .xml, .urdf, .zip or .lwb")
    convert.add_argument("output", type=Path, help="file to write: .xml, .zip (with all assets) or .lwb (compiled)")

    dump = commands.add_parser("dump", parents=[common, start], help="print every field of a model, or of its state")
    dump.add_argument("--data", action="store_true", help="the state after one forward pass in place of the model")
    dump.add_argument("--time", type=_seconds, default=0.0, help="with --data: simulate so many seconds first")
    dump.add_argument("--full", action="store_true", help="also all numbers of pictures and meshes")
    dump.add_argument("-o", "--output", type=Path, default=None, help="file to write; else the output")
    _recording_arguments(commands, common)
    _tuning_arguments(commands)
    add_demo_arguments(commands, common, start, _size, _positive)
    _teleop_arguments(commands, common, start)
    return top


def _exec_arguments(commands) -> None:
    """What `linkwork exec` takes."""
    run_script = commands.add_parser("exec", help="run a script that was written for the official module on this engine",
                                     epilog="example: linkwork exec train.py --steps 1000; linkwork exec --names train.py; linkwork exec -m pytest tests")
    run_script.add_argument("--api", choices=("3.3", "3.17", "4.0"), default="4.0", help="version whose names and call forms the script uses (4.0)")
    run_script.add_argument("--names", action="store_true", help="run nothing: list the names that the script, folder or module uses, and which are not here")
    run_script.add_argument("--json", action="store_true", help="with --names: print one JSON object")
    run_script.add_argument("program", nargs=argparse.REMAINDER, metavar="SCRIPT | -m MODULE | -c CODE", help="and its own arguments")


def _teleop_arguments(commands, common, start) -> None:
    """Devices that drive a model."""
    teleop = commands.add_parser("teleop", parents=[common, start], help="drive a model by a device, without a window", epilog="example: linkwork teleop arm.xml --source pad:0 --measure out.csv")
    teleop.add_argument("--mapping", type=Path, default=None, help="which source drives what (docs/teleoperation.md); else NAME.teleop.toml beside the model, else what is likeliest")
    teleop.add_argument("--source", action="append", default=[], metavar="NAME", help="keyboard, pad:0, spacemouse, midi:NAME, udp:PORT, zmq:ADDRESS, net, xr (may be repeated); else those of the mapping")
    teleop.add_argument("--time", type=_seconds, default=None, help="seconds until it ends; else Ctrl+C")
    add_page_arguments(teleop)
    add_policy_arguments(teleop, _positive)
    teleop.add_argument("--measure", type=Path, default=None, metavar="FILE", help="write the times of every sample through the chain as CSV")
    teleop.add_argument("--list", action=_ListSources, nargs=0, help="tell what is plugged in and what is missing, and end")
    teleop.add_argument("--propose", action="store_true", help="print a mapping of what could be driven, and end")


def _compare_arguments(commands, common) -> None:
    """Both engines on one model."""
    compare = commands.add_parser("compare", parents=[common], help="run a model under both engines and tell what differs: overlap, slip, energy, pose, cost")
    compare.add_argument("model", type=Path)
    compare.add_argument("--key", default=None, help="start from this keyframe (name or number)")
    compare.add_argument("--time", type=_seconds, default=5.0, help="seconds to simulate (5)")
    compare.add_argument("--csv", type=Path, default=None, help="write the figures of both, one row per step")
    compare.add_argument("--every", type=int, default=1, help="look at every n-th step only")
    compare.add_argument("--hard-timestep", type=_positive, default=None, help="time step of the hard engine [s]; else the model's")


def _tuning_arguments(commands) -> None:
    """What is found by trying values of a model."""
    _study_arguments(commands)
    tune = commands.add_parser("tune", help="try values of a model").add_subparsers(dest="what", required=True)
    sweep = tune.add_parser("sweep", help="one or two values over ranges, and a number of the run for each", epilog=(
        """example: linkwork tune sweep gripper.xml --set "geom.*.friction[0]=0.05:2:9:log" --metric 'body("cup").xpos[2] > 0.1' --reduce holds --seconds 2"""))
    sweep.add_argument("model", type=Path)
    sweep.add_argument("--set", action="append", required=True, metavar="WHAT=VALUES",
                       help="opt.NAME or KIND.NAME.ATTRIBUTE[COLUMN], as geom.cup.solref[0]; its values as LOW:HIGH:COUNT, LOW:HIGH:COUNT:log or separated by commas; with a "
                            "single one it is set and not varied (may be repeated; one or two may vary)")
    sweep.add_argument("--metric", required=True, help='an expression with one number, as contact("cup").normal (docs/quantities.md)')
    sweep.add_argument("--reduce", choices=REDUCED, default="last", help="what of the metric counts; holds: 1 where it is not 0 at the end")
    sweep.add_argument("--seconds", type=_positive, default=1.0, help="simulated seconds of each run")
    sweep.add_argument("--key", default=None, help="start from this keyframe (name or number)")
    sweep.add_argument("--engine", choices=ENGINES, default=None, help=ENGINE_HELP)
    sweep.add_argument("--threads", type=_count, default=0, help="runs at a time; 0: one for each processor")
    sweep.add_argument("--compat", default="4.0", help="version whose reading of the model is meant: 4.0, or 2.3 for older models")
    sweep.add_argument("--json", dest="json_file", nargs="?", const="", default=None, metavar="FILE", help="write one JSON object into this file, or without a name print it")
    sweep.set_defaults(json=False)


def _study_arguments(commands) -> None:
    """Studies: many runs, searched for the best."""
    sweep = commands.add_parser("sweep", help="run a study: many runs of a model with other values, controls and seeds, searched for the best",
                                epilog="example: linkwork sweep study.toml --workers 4 (docs/studies.md)")
    sweep.add_argument("study", type=Path, help="the study's file; its results stand beside it, and are gone on with where they end")
    sweep.add_argument("--workers", type=_count, default=0, help="processes; 0: one for each processor")
    sweep.add_argument("--on", default="local", metavar="local|ray|ray://HOST:PORT", help="where: processes of this machine; a Ray cluster of it; one that was started elsewhere")
    sweep.add_argument("--compat", default="4.0", help="version whose reading of the model is meant: 4.0, or 2.3 for older models")
    sweep.add_argument("--check", action="store_true", help="tell what the study would do, and end")
    sweep.add_argument("--known", action="store_true", help="run nothing: tell only what the table has")
    sweep.add_argument("--progress", action="store_true", help="a line of JSON on the output for each trial and for how far the study is, for programs")
    sweep.add_argument("--trial", type=int, default=None, metavar="N", help="do this row of the table again as a recording, which `linkwork FILE` opens in the window")
    sweep.add_argument("-o", "--output", type=Path, default=None, metavar="FOLDER", help="where that recording goes; else beside the study")
    sweep.add_argument("--json", action="store_true", help="print one JSON object on the output instead of text")


def _recording_arguments(commands, common) -> None:
    """Commands about recordings."""
    info = commands.add_parser("info", parents=[common], help="tell what is in a recording")
    info.add_argument("recording", type=Path)

    replay = commands.add_parser("replay", parents=[common], help="do a recorded run again from its inputs")
    replay.add_argument("recording", type=Path)
    how = replay.add_mutually_exclusive_group()
    how.add_argument("--check", action="store_true", help="compare every state with the recorded one, bit for bit; exit code 1 where one differs")
    how.add_argument("--speed", type=_positive, default=None, help="no faster than so many simulated seconds per second, telling how far it is; else as fast as possible")

    export = commands.add_parser("export", parents=[common], help="write the states of a recording, or quantities of them, as a table")
    export.add_argument("recording", type=Path)
    export.add_argument("-o", "--output", type=Path, required=True, help="file to write: .csv or .npz")
    export.add_argument("--fields", default="qpos,qvel,act,ctrl", help="fields of the state, or expressions, separated by commas: 'qpos, norm(body(\"hand\").xpos)'")
    export.add_argument("--branch", type=int, default=None, help="a branch by its number (see info), from the oldest state to its end; else what was shown last")
    export.add_argument("--every", type=int, default=1, help="write every n-th state only")
