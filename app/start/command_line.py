"""The command line of the window: every option, checked before a window opens. No Qt is loaded unless an option names something of it.

What only the model can tell (a camera, a keyframe, a body) is checked when it has been compiled: app/start/start_values.py.
"""
import argparse
from collections.abc import Iterable
from pathlib import Path
from types import MappingProxyType

from app.controllers.set_values import SetValue, parse_set

HEADLESS_COMMANDS = ("render", "run", "check", "bench", "compare", "convert", "dump", "replay", "info", "export", "tune", "sweep", "teleop", "demo", "exec")
ENGINES = ("soft", "hard")  # as physics.enums.Engine
EXAMPLES = f"""
examples:
  linkwork                                   the bundled humanoid
  linkwork arm.xml hand.xml                  two models, two windows
  linkwork arm.xml --key home --paused --camera side
  linkwork arm.xml --camera track:gripper --speed 0.25 --flag contact_point=on --flag contact_force=on
  linkwork arm.xml --script wave.py --script my_scripts   functions of yours around each step
  linkwork arm.xml --set option.timestep=0.001 --set option.gravity="0 0 -1" --set option.integrator=implicitfast
  linkwork quadruped.xml --engine hard       with exact contacts; F10 runs the other engine beside
  linkwork arm.xml --workspace inspect --panel profiler --hide log --theme light --font-scale 150

Values given with --set count as changed in the window: they are marked, and can be put back to what the file says.
Colours, texts and other settings given here hold until the program ends and are not remembered.

without a window: {', '.join(HEADLESS_COMMANDS)}; see linkwork COMMAND --help
"""
ON_OFF = MappingProxyType({word: value for value, words in ((True, "on true yes 1"), (False, "off false no 0")) for word in words.split()})


def refused(text: str, name: str, names: Iterable[str]) -> argparse.ArgumentTypeError:
    """An error about a name that does not exist, with the nearest one and all that there are."""
    from physics.name_hints import hint

    known = list(names)
    return argparse.ArgumentTypeError(f"{text} '{name}'{hint(name, known)}; there are: {', '.join(known)}")


def model_file(text: str) -> Path:
    """A file that is there."""
    path = Path(text)
    if not path.is_file():
        from physics.name_hints import hint

        there = [other.name for other in path.parent.iterdir() if other.is_file()] if path.parent.is_dir() else []
        raise argparse.ArgumentTypeError(f"there is no file '{text}'{hint(path.name, there)}")
    return path


def script(text: str) -> Path:
    """A Python file, or a folder with some."""
    path = Path(text)
    if not path.exists():
        from physics.name_hints import hint

        there = [other.name for other in path.parent.iterdir()] if path.parent.is_dir() else []
        raise argparse.ArgumentTypeError(f"there is no script '{text}'{hint(path.name, there)}")
    if path.is_file() and path.suffix != ".py":
        raise argparse.ArgumentTypeError(f"'{text}' is no Python file (.py)")
    return path


def window_size(text: str) -> tuple[int, int]:
    """Width and height of '1600x1000'. Raises ArgumentTypeError."""
    width, cross, height = text.lower().partition("x")
    if not (cross and width.isdecimal() and height.isdecimal() and int(width) and int(height)):
        raise argparse.ArgumentTypeError(f"'{text}' is not a size like 1600x1000")
    return int(width), int(height)


def speed(text: str) -> float | None:
    """A factor of real time, '25%', or 'max' (None)."""
    if text.lower() == "max":
        return None
    try:
        factor = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        factor = 0.0
    if not 0.001 <= factor <= 16:
        raise argparse.ArgumentTypeError(f"'{text}' is no speed: a factor of real time from 0.001 to 16, a percentage like 25%, or max")
    return factor


def panel(text: str) -> str:
    """The id of a panel."""
    from app.panels.table import PANELS

    known = {word: row.id for row in PANELS for word in (row.title.lower(), row.id)}
    if text.lower() not in known:
        raise refused("there is no panel", text, [row.id for row in PANELS])
    return known[text.lower()]


def workspace(text: str) -> str | Path:
    """The id of a workspace, or the file of one."""
    from app.actions import ACTIONS

    ids = [row.argument for row in ACTIONS if row.id.startswith("workspace_")]
    if text.lower() in ids:
        return text.lower()
    if Path(text).suffix and not Path(text).is_file():
        raise argparse.ArgumentTypeError(f"there is no file '{text}'")
    if not Path(text).is_file():
        raise refused("there is no workspace and no file", text, ids)
    return Path(text)


def flag(text: str) -> tuple[str, bool]:
    """Name of a drawing flag and whether it is on: 'contact_point=on', 'shadow=off', 'joint' (on)."""
    from app.bridge.options import ADDED_FLAGS, QUANTITY_FLAGS, RENDER_FLAGS, VIS_FLAGS

    rows = VIS_FLAGS + RENDER_FLAGS + QUANTITY_FLAGS + ADDED_FLAGS
    name, _, word = text.partition("=")
    known = {word: row.name for row in rows for word in (row.title.lower(), row.name)}
    if name.lower() not in known:
        raise refused("there is no flag", name, [row.name for row in rows])
    if (word or "on").lower() not in ON_OFF:
        raise argparse.ArgumentTypeError(f"'{word}' is neither on nor off")
    return known[name.lower()], ON_OFF[(word or "on").lower()]


def setting(name: str):
    """Reads the value of a setting from a text."""

    def read(text: str) -> tuple[str, object]:
        return name, setting_value(name, text)

    return read


def setting_value(name: str, text: str):
    """The value of a setting. Raises ArgumentTypeError where the text is none."""
    from app.settings import SETTINGS

    row = SETTINGS.get(name)
    shown = [key for key, one in SETTINGS.items() if one.title]
    if row is None or not row.title:
        raise refused("there is no setting", name, shown)
    if row.choices:
        if text not in [choice for choice, _words in row.choices]:
            raise refused(f"{row.title} can not be", text, [choice for choice, _words in row.choices])
        return text
    if row.type is bool:
        if text.lower() not in ON_OFF:
            raise argparse.ArgumentTypeError(f"'{text}' is neither on nor off")
        return ON_OFF[text.lower()]
    try:
        value = row.type(text.removesuffix(row.unit.strip()) if row.unit else text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is no number") from None
    if row.low is not None and not row.low <= value <= row.high:
        raise argparse.ArgumentTypeError(f"{row.title}: {text} is not between {row.low:g} and {row.high:g}")
    return value


def one_value(text: str) -> SetValue:
    """A --set: 'option.timestep=0.001'. Raises ArgumentTypeError."""
    path, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"'{text}' has no '='; write for example option.timestep=0.001")
    if path.startswith("setting."):
        name = path.removeprefix("setting.")
        return SetValue("setting", name, setting_value(name, value))
    try:
        return parse_set(path, value)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def parser() -> argparse.ArgumentParser:
    """All options of the window."""
    made = argparse.ArgumentParser(
        prog="linkwork", description="Open models in windows and play with them.", epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("models", nargs="*", type=model_file, metavar="MODEL", help="MJCF, URDF, archive, compiled model (.lwb) or recording (.h5); a window each; a bundled model when none is named")
    group = made.add_argument_group("simulation")
    group.add_argument("--paused", action="store_true", help="do not start running")
    group.add_argument("--key", metavar="NAME", help="keyframe to start at, by name or number")
    group.add_argument("--speed", type=speed, default=argparse.SUPPRESS, metavar="FACTOR", help="simulated over real time: 0.5, 25%%, or max")
    group.add_argument("--engine", choices=ENGINES, default=None, help="which engine moves the model: soft (MuJoCo's constraints) or hard (exact contacts); else as the model says")
    group.add_argument("--set", type=one_value, action="append", default=[], metavar="WHAT=VALUE", dest="values",
                       help="option.NAME, visual.GROUP.NAME, statistic.NAME, FIELD[ELEMENT], or setting.NAME; may be repeated")
    group.add_argument("--script", type=script, action="append", default=[], metavar="PATH", dest="scripts",
                       help="a Python file, or a folder of them, with functions that are called while the model runs; may be repeated")
    group.add_argument("--compat", default="4.0", help="version whose reading of the model is meant: 4.0, 2.3 for older models, or official: 4.0 where ours is truer, too")
    group = made.add_argument_group("what is drawn")
    group.add_argument("--camera", metavar="NAME", help="a camera of the model by name or number, free, or track:BODY")
    group.add_argument("--flag", type=flag, action="append", default=[], metavar="NAME=on|off", dest="flags", help="a drawing flag: contact_point=on; may be repeated")
    group = made.add_argument_group("window")
    group.add_argument("--workspace", type=workspace, metavar="NAME|FILE", help="arrangement of the window, by name or from a file that was saved")
    group.add_argument("--panel", type=panel, action="append", default=[], metavar="ID", dest="panels", help="show a panel; may be repeated")
    group.add_argument("--hide", type=panel, action="append", default=[], metavar="ID", dest="hidden", help="hide a panel; may be repeated")
    group.add_argument("--size", type=window_size, default=None, help="window size, as 1600x1000")
    group.add_argument("--fullscreen", action="store_true", help="fill the screen")
    group.add_argument("--reset-layout", action="store_true", help="forget the remembered arrangement of panels")
    group = made.add_argument_group("appearance, until the program ends")
    group.add_argument("--theme", type=setting("view/theme"), dest="theme", metavar="NAME", help="dark, light or system")
    group.add_argument("--font-scale", type=setting("view/font_scale"), metavar="PERCENT", help="size of all texts, 50 to 300")
    group.add_argument("--density", type=setting("view/density"), metavar="NAME", help="compact, normal or wide")
    group = made.add_argument_group("log")
    group.add_argument("--log", type=setting("log/file"), metavar="FILE", help="write the log there, too")
    return made


def parse(arguments: list[str]) -> argparse.Namespace:
    """What the command line asks for; exits with a message and code 2 on a mistake. `settings`: {name: value} that hold for this run."""
    chosen = parser().parse_args(arguments)
    chosen.settings = dict(pair for pair in (chosen.theme, chosen.font_scale, chosen.density, chosen.log) if pair)
    chosen.settings |= {value.name: value.value for value in chosen.values if value.kind == "setting"}
    chosen.values = [value for value in chosen.values if value.kind != "setting"]
    if chosen.engine is not None:
        chosen.values.insert(0, parse_set("option.engine", chosen.engine))
    return chosen
