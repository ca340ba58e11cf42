"""Put by bare_root.sh where every Python of the measured system finds it as sitecustomize: notes what is started when, and has the window watched.

Each interpreter adds a line [seconds since the start, arguments] to the file log beside this one, pip one more when it ends. `python -m app.main` becomes
`python -m benchmarks.first_motion`, which opens the same window and ends when the model moves.
"""
import atexit
import json
import os
import sys
import time


def note(begun: float, folder: str) -> None:
    """One line for this interpreter; the window's is replaced by one that is watched."""
    arguments = sys.orig_argv[1:]

    def write(words: list[str]) -> None:
        with open(os.path.join(folder, "log"), "a") as file:
            file.write(json.dumps([time.time() - begun, words]) + "\n")

    write(arguments)
    if arguments[:2] == ["-m", "pip"]:
        atexit.register(write, ["end of pip"])
    if arguments[:2] == ["-m", "app.main"]:
        os.chdir("/linkwork")
        os.execv(sys.executable, [sys.executable, "-m", "benchmarks.first_motion", str(begun)])


if "MEASURE_BEGUN" in os.environ:
    note(float(os.environ["MEASURE_BEGUN"]), os.path.dirname(os.path.abspath(__file__)))
