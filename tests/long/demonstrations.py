"""Demonstrations from the device to the data set: `./test.sh --long demonstrations [--episodes 100] [--json FILE]`.

A script drives three bundled models through the device layer (source, hub, drive), episode by episode, with drawn starts, taking back and going on, and undone marks; the run is kept on
the disk meanwhile. Then every episode is done again and compared to the bit; trimmed and merged ones too; exported in all formats with pictures and judged by robomimic's schema
and by lerobot-doctor, where it is there (tests/app/demonstrations/export/data_sets.py says how). A process that demonstrates is killed in each phase.
"""
import argparse
import json
import math
import random
import sys
import tempfile
import threading
import time
from pathlib import Path

import h5py
import pyarrow.parquet as pq

import physics
from app.demonstrations.editing import Part, composed
from app.demonstrations.episodes import DISCARD
from app.demonstrations.export.export import FORMATS, export
from app.demonstrations.export.plan import ExportPlan
from app.demonstrations.keeper import Keeper
from app.demonstrations.replay import replay
from app.demonstrations.session import Session
from app.demonstrations.sources import opened
from app.demonstrations.starts import Range, Start
from app.demonstrations.steering import Steering
from app.film.offscreen_renderer import OffscreenRenderer
from app.inputs.hub import Hub
from app.inputs.mapping.drive_mapping import DriveMapping, Limits, Mapping
from app.inputs.sample import Sample
from assets.locate import bundled_model
from physics.recording import file
from physics.runtime import commands as c
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation
from render.quality import QUALITIES
from tests.app.demonstrations.export.data_sets import MISSING, check_robomimic, doctor, has_doctor
from tests.app.demonstrations.killed import OUTCOMES, check_killed

RATE, SIZE = 15.0, (64, 48)
SPEED = 4.0         # simulated seconds per second
PATIENCE = 60.0     # s
SOURCE = "script:proof"


class Script:
    """A source that moves a target, or controls, by chance and without a stop. name, state: as every source's."""

    name, state = SOURCE, "here"

    def __init__(self, actuators: dict[str, tuple[float, float]], seed: int):
        self._actuators, self._random = actuators, random.Random(seed)
        self._end = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, put) -> None:
        """Begin."""
        self._thread = threading.Thread(target=self._run, args=(put,))
        self._thread.start()

    def _run(self, put) -> None:
        phases = [self._random.uniform(0, 6) for _ in range(6 + len(self._actuators))]
        seq = 0
        while not self._end.wait(0.008):
            seq += 1
            now = time.perf_counter()
            waves = [math.sin(phase + (1.1 + 0.3 * k) * 2 * now) for k, phase in enumerate(phases)]
            if self._actuators:
                joints = {name: 0.5 * (low + high) + 0.25 * (high - low) * waves[k] for k, (name, (low, high)) in enumerate(self._actuators.items())}
                put(Sample(self.name, "controls", seq, now, now, joints=joints))
            else:
                put(Sample(self.name, "axes", seq, now, now, axes=dict(zip(("x", "y", "z", "rx", "ry", "rz"), waves, strict=False))))

    def stop(self) -> None:
        """End."""
        self._end.set()
        if self._thread is not None:
            self._thread.join()

    def feedback(self, strength: float, milliseconds: float, name: str = "") -> None:
        """It feels nothing."""


class Demonstrating:
    """Records episodes of one model into a folder."""

    def __init__(self, name: str, drive: DriveMapping, start: Start, folder: Path, seed: int):
        self.random = random.Random(seed)
        self.model = physics.load(bundled_model(name))
        m = self.model
        actuators = {}
        if drive.kind == "controls":
            actuators = {m.names["actuator"][k]: tuple(m.actuator_ctrlrange[k].tolist()) if m.actuator_ctrllimited[k] else (-1.0, 1.0) for k in range(m.nu)}
        self.runner = Runner(Simulation(ready=True))
        self.runner.start()
        self.keeper = Keeper(self.runner, folder, name, lambda level, text: print(text, file=sys.stderr))
        self.keeper.begin()
        self.runner.send(c.SwapModel(m, document=name))
        self.runner.send(c.SetSpeed(SPEED))
        self.session = Session(self.runner, self.keeper, start)
        self.steering = Steering(self.runner, self.session, "script")
        self.hub = Hub(self.runner)
        self.hub.start()
        self.hub.configure(Mapping((drive,)))
        self.hub.add(Script(actuators, seed))
        self.hub.arm()
        self.wait(lambda: self.hub.states and not self.hub.states[0].problems and self.runner.published is not None)

    def wait(self, condition) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, "it did not happen"
            time.sleep(0.003)

    def entry(self) -> int:
        return self.runner.published.entry

    def pass_steps(self, n: int) -> None:
        """Until so many more steps were taken; the run has been asked to go on."""
        self.wait(lambda: self.runner.published.running)
        begun = self.entry()
        self.wait(lambda: self.entry() >= begun + n)

    def episode(self, outcome: str) -> None:
        """One, that lasts from 1.2 to 2.2 simulated seconds."""
        steps, known = int(self.random.uniform(1.2, 2.2) / self.model.opt_timestep), len(self.session.episodes)
        self.session.reset()
        self.session.start()
        self.wait(lambda: self.session.update() and len(self.session.episodes) > known)
        self.runner.send(c.Run())
        self.hub.arm()
        self.pass_steps(steps)
        if self.random.random() < 0.2:      # a person takes over, some of it back
            self.runner.send(c.Pause())
            self.wait(lambda: not self.runner.published.running)
            self.session.update()
            self.steering.rewind(0.3)
            self.pass_steps(steps // 4)
            self.steering.take_over("script")
            self.pass_steps(steps // 4)
        if self.random.random() < 0.1:
            self.session.succeed()
            self.session.undo()
        {"success": self.session.succeed, "failure": self.session.fail, DISCARD: self.session.discard}[outcome]()
        self.wait(lambda: self.session.update() or self.session.current is None)

    def close(self) -> list[Path]:
        self.hub.stop()
        self.runner.send(c.Pause())
        paths = self.keeper.close()
        self.runner.stop()
        return paths


MODELS = (
    ("arm.xml", DriveMapping("arm", SOURCE, "controls"), Start(None, (Range("waist", -0.5, 0.5), Range("elbow", 0.0, 0.6)), 1)),
    ("mocap_paddle.xml", DriveMapping("paddle", SOURCE, "mocap", mocap="paddle", frame="world", limits=Limits(speed=1.0, min=(-0.4, -0.4, 0.2), max=(0.4, 0.4, 0.9))),
     Start(None, (Range("mocap paddle.x", -0.1, 0.1),), 2)),
    ("quadruped.xml", DriveMapping("legs", SOURCE, "controls"), Start(None, (), 3)),
)


def recorded(folder: Path, count: int) -> dict[str, list[Path]]:
    """{model: files} of so many episodes that are not discarded, and some that are."""
    files = {}
    for k, (name, drive, start) in enumerate(MODELS):
        mine = count // len(MODELS) + (k < count % len(MODELS))
        home = folder / Path(name).stem
        home.mkdir()
        demonstrating = Demonstrating(name, drive, start, home, k)
        try:
            for n in range(mine):
                if n % 9 == 4:
                    demonstrating.episode(DISCARD)
                demonstrating.episode("failure" if n % 7 == 6 else "success")
        finally:
            files[name] = demonstrating.close()
        print(f"{name}: {demonstrating.session.counts}", file=sys.stderr, flush=True)
    return files


def done_again(files: dict[str, list[Path]], folder: Path) -> dict:
    """Replay all; trim and merge some of each."""
    told = {"episodes": 0, "same": 0, "differences": [], "steps": 0, "discarded": 0}
    for name, paths in files.items():
        for path in paths:
            with opened(path) as of:
                for one in replay(of):
                    told["discarded"] += one.episode.outcome == DISCARD
                    told["episodes"] += one.episode.outcome != DISCARD
                    told["same"] += one.same and one.episode.outcome != DISCARD
                    told["steps"] += one.episode.steps
                    if not one.same:
                        told["differences"].append(f"{path} {one.episode.number}: {one.difference}")
                parts = [Part.between(of, of.kept[0], 0.2, 0.9), *(Part.whole(of, one) for one in of.kept[-2:])]
                with composed(parts) as recording:
                    file.save(recording, folder / f"{name}.h5")
        with opened(folder / f"{name}.h5") as of:
            told.setdefault("edited", []).append([one.same for one in replay(of)])
    return told


def exported(files: dict[str, list[Path]], folder: Path) -> dict:
    """All formats of each model, judged."""
    plan, told = ExportPlan(RATE, ("free",), SIZE, which="all"), {}
    renderer = OffscreenRenderer(QUALITIES["lowest"])
    try:
        for name, paths in files.items():
            mine = ExportPlan(RATE, ("free",), SIZE, "ee-abs", which="all") if name == "mocap_paddle.xml" else plan
            for form in FORMATS:
                output = folder / f"{name}.{form}"
                done = export(paths, output, form, mine, renderer)
                told[f"{name} {form}"] = {**done, **judged(output, form, done)}
                print(name, form, told[f"{name} {form}"], file=sys.stderr, flush=True)
    finally:
        renderer.close()
    return told


def judged(output: Path, form: str, done: dict) -> dict:
    """What others say; raises AssertionError where states and actions differ in number."""
    if form == "robomimic":
        lengths = check_robomimic(output)
        assert sum(lengths.values()) == done["frames"] and len(lengths) == done["episodes"]
        with h5py.File(output) as data:
            assert all(len(demo["states"]) == len(demo["actions"]) for demo in data["data"].values())
        return {"schema": "robomimic"}
    rows = sum(pq.read_metadata(path).num_rows for path in (output / "data").rglob("*.parquet"))
    assert rows == done["frames"]
    if not has_doctor():
        return {"doctor": f"skipped: {MISSING}"}
    found = doctor(output)
    return {"doctor": {severity: len(messages) for severity, messages in found.items()}, "failures": found["FAIL"]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=100)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    physics.compile_kernels()
    with tempfile.TemporaryDirectory() as temporary:
        folder, begun = Path(temporary), time.perf_counter()
        files = recorded(folder, arguments.episodes)
        told = {"recorded_s": round(time.perf_counter() - begun, 1), "replay": done_again(files, folder)}
        print(told, file=sys.stderr, flush=True)
        told["export"] = exported(files, folder)
        told["killed"] = {}
        for phase in OUTCOMES:
            (folder / phase).mkdir()
            told["killed"][phase] = check_killed(folder / phase, phase)
    text = json.dumps(told, indent=1)
    print(text)
    if arguments.json:
        arguments.json.write_text(text + "\n")
    again = told["replay"]
    failures = [one for form in told["export"].values() for one in form.get("failures", ())]
    good = again["same"] == again["episodes"] == arguments.episodes and not again["differences"] and all(map(all, again["edited"])) and not failures
    print("good" if good else "NOT good", file=sys.stderr)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
