"""Linkwork without a window: pictures, runs, checks and timings from the command line. No Qt.

    linkwork render MODEL -o picture.png [--size 1280x720] [--camera NAME] [--time T] [--flags "Joint,Contact Point"] ...
    linkwork render MODEL -o film.mp4 --duration 10 [--fps 60] [--speed 1] ...     also -o folder/frame_%05d.png
    linkwork run    MODEL --time T [--csv FILE]
    linkwork check  MODEL... [--strict]
    linkwork bench  MODEL [--seconds S]
    linkwork compare MODEL [--time S] [--csv FILE]      both engines side by side
    linkwork convert IN OUT     among .xml, .urdf (in only), .zip and .lwb
    linkwork dump   MODEL [--data] [-o FILE]
    linkwork info   RECORDING                           what is in it
    linkwork replay RECORDING [--check | --speed 1]     do it again from its inputs
    linkwork exec [--api 3.3|3.17|4.0] [--names] SCRIPT.py | -m MODULE | -c CODE [ARGUMENTS]     a script written for `import mujoco`
    linkwork tune sweep MODEL --set WHAT=LOW:HIGH:COUNT[:log] --metric EXPRESSION [--reduce last] [--seconds 1] [--json FILE]
    linkwork sweep STUDY.toml [--workers N] [--check]   many runs with other values, controls and seeds, searched for the best
    linkwork teleop MODEL [--mapping FILE] [--source pad:0] [--time S] [--measure out.csv] [--propose]
    linkwork export RECORDING -o FILE.csv|FILE.npz [--fields "qpos, norm(qvel)"] [--branch N]
    linkwork demo record MODEL -o FOLDER [--source NAME] [--task TEXT] [--range JOINT=LOW:HIGH] [--success EXPRESSION]
    linkwork demo info|check|replay RECORDING...        episodes of demonstrations; doing them again to the bit
    linkwork demo trim|cut|merge RECORDING... -o OUT.h5
    linkwork demo export RECORDING... -o OUT --format robomimic|lerobot|lerobot2 [--rate 30] [--cameras A,B] [--size 256x256] [--actions ctrl]

Exit codes: 0 done; 1 the model has errors or cannot do what was asked; 2 wrong arguments; 3 the simulation diverged;
4 no OpenGL; 130 stopped by Ctrl+C (a film then holds the frames up to there). Messages for people go to the error stream;
`--json` prints one JSON object on the output instead of text.
"""
from __future__ import annotations

import json
import os
import sys
from importlib import import_module

from app.headless.arguments import parser
from app.headless.outcome import DONE, Failed


def main(arguments: list[str] | None = None) -> int:
    """Run one headless command; the exit code."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if arguments[:1] == ["exec"]:
        from app.headless.exec import guarded

        arguments = guarded(arguments)
    chosen = parser().parse_args(arguments)
    command = getattr(import_module(f"app.headless.{chosen.command}"), f"command_{chosen.command}")   # only what the command needs
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
