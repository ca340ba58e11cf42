"""`linkwork exec`: a script written for the official module runs on this engine, unmodified; its child processes too.

The folder app/mujoco_shim is put in front of PYTHONPATH, and this process becomes the script's. `--names` tells beforehand what a script uses and what of it is not here.
"""
from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from app.headless.outcome import DONE, PROBLEM, USAGE, Failed

SHIM = Path(__file__).parents[1] / "mujoco_shim"
VARIABLE = "LINKWORK_MUJOCO_API"     # read by app/mujoco_shim/mujoco/generation.py
_ASKED = "import json, sys, mujoco; json.dump([name for name in json.load(sys.stdin) if not mujoco.is_here(name)], sys.stdout)"
OWN = ("--api", "--names", "--json", "--help", "-h")


def guarded(arguments: list[str]) -> list[str]:
    """The arguments of `linkwork exec` with -- before the program, whose options are none of ours."""
    k = 1
    while k < len(arguments) and arguments[k].partition("=")[0] in OWN:
        k += 2 if arguments[k] == "--api" else 1
    return arguments if arguments[k:k + 1] == ["--"] else [*arguments[:k], "--", *arguments[k:]]


def environment(api: str, before: dict[str, str]) -> dict[str, str]:
    """The environment in which `import mujoco` is Linkwork's, for the process and its children."""
    paths = [str(SHIM), str(SHIM / "versions" / api), *filter(None, [before.get("PYTHONPATH", "")])]
    return {**before, "PYTHONPATH": os.pathsep.join(paths), VARIABLE: api}


def banner(api: str) -> str:
    """The first line on the error stream."""
    try:
        ours = version("linkwork")
    except PackageNotFoundError:
        ours = "from its folder"
    return f"mujoco is Linkwork {ours} here (API {api})"


def command_exec(chosen) -> dict:
    """Become the script; or list the names that it uses. Raises Failed."""
    program = chosen.program[1:] if chosen.program[:1] == ["--"] else chosen.program
    if not program or program in (["-m"], ["-c"]):
        raise Failed("name a script, or -m MODULE, or -c CODE", USAGE)
    if chosen.names:
        return _names(program, chosen.api)
    if not program[0].startswith("-") and not os.path.exists(program[0]):
        raise Failed(f"{program[0]}: there is no such file")
    if program[0].startswith("-") and program[0] not in ("-m", "-c"):
        raise Failed(f"{program[0]}: options of Python's cannot be given; there are -m MODULE and -c CODE", USAGE)
    print(banner(chosen.api), file=sys.stderr, flush=True)
    sys.stdout.flush()
    command, env = [sys.executable, *program], environment(chosen.api, dict(os.environ))
    if os.name == "nt":     # there a process that is replaced ends for whoever waits for it
        return {"code": subprocess.call(command, env=env), "text": ""}
    os.execve(command[0], command, env)
    raise AssertionError("unreachable")


def missing_of(names: Iterable[str], api: str = "4.0") -> frozenset[str]:
    """Those of the names that are not here, as the module itself says, in a process of its own: in this one `mujoco` may be another. Raises Failed where it cannot be asked."""
    asked = subprocess.run([sys.executable, "-c", _ASKED], input=json.dumps([*names]), env=environment(api, dict(os.environ)), capture_output=True, text=True)
    if asked.returncode:
        raise Failed(asked.stderr.strip().rpartition("\n")[2])
    return frozenset(json.loads(asked.stdout))


def _names(program: list[str], api: str) -> dict:
    """What a script, module, folder or text uses of the official module."""
    from app.headless.used_names import report, used_in

    used = used_in(program[1] if program[0] in ("-m", "-c") else program[0], program[0])
    absent = missing_of((use.name for use in used), api)
    rows = [{"name": use.name, "places": list(use.places), "here": use.name not in absent} for use in used]
    return {"code": PROBLEM if absent else DONE, "names": rows, "text": report(used, absent)}
