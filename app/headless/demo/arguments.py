"""Options of `linkwork demo`."""
from __future__ import annotations

import argparse
from pathlib import Path

from app.headless.driving.page_arguments import add_page_arguments
from app.headless.driving.policy import add_policy_arguments

FORMATS = ("robomimic", "lerobot", "lerobot2")     # as app.demonstrations.export.export.FORMATS, which argument errors need not wait for
ACTIONS = ("ctrl", "joints", "ee-delta", "ee-abs")     # as app.demonstrations.export.plan.ACTIONS
WHICH = ("success", "marked", "all")
DRIVERS = ("person", "policy", "script")     # as app.demonstrations.episodes.DRIVERS


def numbers(text: str) -> tuple[int, ...]:
    """Numbers of episodes, as 1,3-5."""
    found: list[int] = []
    for part in filter(None, map(str.strip, text.split(","))):
        low, dash, high = part.partition("-")
        if not low.isdecimal() or dash and not high.isdecimal():
            raise argparse.ArgumentTypeError(f"'{part}' is no number of an episode, nor two with - between")
        found += range(int(low), int(high if dash else low) + 1)
    return tuple(dict.fromkeys(found))


def add_demo_arguments(commands, common, start, size, positive) -> None:
    """Commands about demonstrations. start: options of a model; size, positive: readers of a picture's size, and of seconds."""
    demo = commands.add_parser("demo", help="demonstrations: what is in recordings, doing them again, editing, export").add_subparsers(dest="what", required=True)
    several = argparse.ArgumentParser(add_help=False)
    several.add_argument("recordings", nargs="+", type=Path, help="recordings (.h5), folders of runs that were not closed, or folders of both")
    one = argparse.ArgumentParser(add_help=False)
    one.add_argument("recording", type=Path)
    output = argparse.ArgumentParser(add_help=False)
    output.add_argument("-o", "--output", type=Path, required=True, help="recording to write (.h5)")

    _record_arguments(demo.add_parser("record", parents=[common, start], help="give demonstrations by a device, without a window"), positive)
    demo.add_parser("info", parents=[common, several], help="list episodes, how they ended, who drove")
    demo.add_parser("check", parents=[common, several], help="look whether recordings are whole, without doing them again")
    replay = demo.add_parser("replay", parents=[common, several], help="do episodes again, and tell the first number that does not come out as recorded")
    replay.add_argument("--episodes", type=numbers, default=None, help="these only, as 1,3-5")
    replay.add_argument("--speed", type=positive, default=None, help="no faster than so many simulated seconds per second")
    trim = demo.add_parser("trim", parents=[common, one, output], help="shorten an episode")
    trim.add_argument("--episode", type=int, required=True)
    trim.add_argument("--from", dest="start", type=float, default=0.0, metavar="SECONDS", help="seconds since its beginning")
    trim.add_argument("--to", dest="end", type=float, default=float("inf"), metavar="SECONDS")
    cut = demo.add_parser("cut", parents=[common, one, output], help="take episodes out, or cut one in two")
    how = cut.add_mutually_exclusive_group(required=True)
    how.add_argument("--episodes", type=numbers, help="those to take out, as 2,5-7")
    how.add_argument("--episode", type=int, help="the one to cut in two, with --at")
    cut.add_argument("--at", type=positive, default=None, metavar="SECONDS", help="seconds since its beginning")
    demo.add_parser("merge", parents=[common, several, output], help="one recording of several")
    _export_arguments(demo.add_parser("export", parents=[common, several], help="write a data set for learning"), size, positive)


def _record_arguments(record: argparse.ArgumentParser, positive) -> None:
    record.add_argument("-o", "--output", type=Path, required=True, help="folder of recordings")
    record.add_argument("--mapping", type=Path, default=None, help="which source drives what; else NAME.teleop.toml beside the model, else what is likeliest")
    record.add_argument("--source", action="append", default=[], metavar="NAME", help="as of linkwork teleop (may be repeated)")
    add_page_arguments(record)
    add_policy_arguments(record, positive)
    record.add_argument("--episodes", type=int, default=None, metavar="N", help="with --policy: begin episodes by itself, one after the other, and end after so many")
    record.add_argument("--limit", type=positive, default=10.0, metavar="SECONDS", help="with --episodes: simulated seconds after which one that has not succeeded is a failure (10)")
    record.add_argument("--time", type=positive, default=None, help="seconds until it ends; else Ctrl+C, or the word quit")
    record.add_argument("--task", default="", help="what is to be done")
    record.add_argument("--range", action="append", default=[], metavar="JOINT.x=LOW:HIGH", help="a coordinate that is drawn at each reset, added to that of the start (may be repeated)")
    record.add_argument("--seed", type=int, default=0, help="of what is drawn")
    record.add_argument("--success", default="", metavar="EXPRESSION", help="ends an episode where it, or a sensor, is not 0")
    record.add_argument("--held", type=float, default=0.5, help="simulated seconds for which it has to be so")


def _export_arguments(export: argparse.ArgumentParser, size, positive) -> None:
    export.add_argument("-o", "--output", type=Path, required=True, help="file (robomimic) or folder (lerobot, lerobot2) to make")
    export.add_argument("--format", choices=FORMATS, required=True, help="robomimic's HDF5, LeRobot 3.0 or LeRobot 2.1")
    export.add_argument("--rate", type=positive, default=30.0, help="states and actions per simulated second (30)")
    export.add_argument("--cameras", default="", help="names or numbers of cameras, separated by commas; 'free' is the free one")
    export.add_argument("--size", type=size, default=(256, 256), help="of their pictures, as 256x256")
    export.add_argument("--actions", choices=ACTIONS, default="ctrl", help="controls; coordinates of joints at each period's end; poses of sites, or of mocap bodies, absolute or as ways")
    export.add_argument("--sites", default="", help="sites whose poses are actions, separated by commas; else the mocap bodies")
    export.add_argument("--gripper", default="", help="actuators whose controls go along with poses")
    export.add_argument("--observe", default="qpos,qvel", help="expressions that are observed, separated by commas: 'qpos, sensordata, body(\"cup\").xpos'")
    export.add_argument("--which", choices=WHICH, default="success", help="episodes: successes; those with an outcome; all that were not discarded")
    export.add_argument("--driver", choices=DRIVERS, default="", help="only the parts of episodes that a person, a policy or a script drove; else all, with who drove in each row")
    export.add_argument("--valid", type=float, default=0.1, help="robomimic: share of episodes for validation")
    export.add_argument("--quality", default="high", help="of pictures: lowest, low, medium, high or classic")
