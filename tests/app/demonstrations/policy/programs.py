"""Policies for tests: texts of programs that are run as processes of their own."""
from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

ROOT = Path(__file__).parents[4]
HEAD = "import os, signal, sys, time\nfrom linkwork.policy import Action, run, serve\n"
BEND = HEAD + """
def act(state):     # the elbow follows the shoulder, the mocap body goes up
    print("this is no action")
    return Action(controls={"elbow": 0.5 * state.joint("shoulder"), "shoulder": 0.3}, mocap={"target": ((0.5, 0.2, 0.3), None)})

run(act)
"""
CRASHING = HEAD + """
seen = []

def act(state):
    seen.append(state)
    if len(seen) > 8:
        raise ValueError("no weights here")
    return {"shoulder": 0.3}

run(act)
"""
HANGING = HEAD + """
signal.signal(signal.SIGTERM, signal.SIG_IGN)

seen = []

def act(state):
    seen.append(state)
    if len(seen) > 8:
        print("thinking about it", flush=True)
        time.sleep(1000)
    return {"shoulder": 0.3}

run(act)
"""
DEAF = """
while True:     # it reads nothing, and never stops
    print('{"v":1,"seq":1,"t":0,"kind":"controls","controls":{"shoulder":0.3}}', flush=True)
"""
JUNK = "while True: print('lorem ipsum', flush=True)\n"
CHATTY = HEAD + """
for line in ("loading", '{"v":1,"seq":1,"t":0,"kind":"controls","controls":{"sholder":1}}', '{"v":1,"seq":1,"t":0,"kind":"hello","token":"a"}'):
    print(line, flush=True)
run(lambda state: {"shoulder": 0.3})
"""


def written(folder: Path, text: str, name: str = "policy.py") -> str:
    """The command line of a program."""
    path = folder / name
    path.write_text(text)
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(path))}"


def importable(monkeypatch) -> None:
    """Have processes find the packages of this checkout."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", "")))))
