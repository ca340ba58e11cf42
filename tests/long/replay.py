"""A long recording of a lively run, done again bit for bit: `./test.sh --long replay [--seconds 600] [--moments 100] [--json FILE]`.

On the humanoid, by chance: controls, pulls with the mouse, resets, keyframes, edits of the text, steps back and running on from there, other branches; so many simulated
seconds of it. The disk behind the memory is written on the way. Then: the recording that the disk gives is the one that the memory gives; saved, loaded and done again from
its inputs all states are the same; and running on from so many recorded moments, chosen by chance among those where nobody touches anything for the next steps, gives the
recorded bits.
"""
import argparse
import json
import random
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

import physics
from assets.locate import bundled_model
from physics.recording import file, journal
from physics.recording.journal import JournalReader
from physics.recording.models import ModelStore
from physics.recording.recover import recover
from physics.recording.spool import Spool
from physics.runtime import commands as c
from physics.runtime.carry_over import carry_over
from physics.runtime.perform import perform
from physics.runtime.recorded.capture import capture
from physics.runtime.recorded.command_text import CODEC
from physics.runtime.recorded.restore import prepare, run_on
from physics.runtime.redo import Redo, first_difference, tracks
from physics.runtime.simulation import Simulation

AFTER = 50      # steps that are run on
HISTORY = 1 << 34


class Lively:
    """What people do, by chance. simulated: seconds that have passed."""

    def __init__(self, sim: Simulation, seed: int):
        self.sim, self.random = sim, random.Random(seed)
        self.text = bundled_model("humanoid.xml").read_text()
        self.simulated, self.counts = 0.0, {}

    def turn(self) -> None:
        """One thing, then some time."""
        kind = self.random.choice((self.control,) * 6 + (self.pull,) * 4 + (self.reset, self.key, self.edit, self.edit, self.step_back, self.step_back, self.switch, self.push, self.option))
        self.counts[kind.__name__] = self.counts.get(kind.__name__, 0) + 1
        kind()
        self.run(self.random.randrange(10, 250))

    def run(self, n: int) -> None:
        sim = self.sim
        sim.set_running(True)
        while n > 0 and sim.running:
            part = min(n, self.random.randrange(1, 40))
            done = sim.take(part)
            self.simulated += done * sim.model.opt_timestep
            n -= max(1, done)
        sim.set_running(False)
        sim.idle()

    def control(self) -> None:
        for _ in range(5):
            perform(self.sim, c.SetCtrl(self.random.randrange(self.sim.model.nu), self.random.uniform(-1, 1)))

    def pull(self) -> None:
        body = self.random.randrange(1, self.sim.model.nbody)
        perform(self.sim, c.PerturbStart(body, (0.0, 0.0, 0.05), self.random.choice((c.TRANSLATE, c.ROTATE))))
        self.sim.set_running(True)
        x, z = self.random.uniform(-1, 1), self.random.uniform(0.5, 2)
        for k in range(self.random.randrange(5, 30)):
            perform(self.sim, c.PerturbMove((x + 0.01 * k, 0.0, z), None))
            self.simulated += self.sim.take(4) * self.sim.model.opt_timestep
        perform(self.sim, c.PerturbStop())
        self.sim.set_running(False)

    def reset(self) -> None:
        perform(self.sim, c.Reset())

    def key(self) -> None:
        perform(self.sim, c.LoadKey(self.random.randrange(self.sim.model.nkey)))

    def edit(self) -> None:
        text = self.text.replace('joint type="hinge" damping="1"', f'joint type="hinge" damping="{self.random.uniform(0.5, 3):.3f}"')
        perform(self.sim, c.SwapModel(physics.load_string(text, base_dir=bundled_model("humanoid.xml").parent), carry=carry_over, document=1, label="edit of humanoid.xml"))

    def step_back(self) -> None:
        n = len(self.sim.history)
        perform(self.sim, c.Scrub(self.random.randrange(max(0, n - 2000), n)))
        self.sim.idle()

    def switch(self) -> None:
        there = [info.id for info in self.sim.history.told_branches() if not info.shown]
        if there:
            perform(self.sim, c.SwitchBranch(self.random.choice(there)))

    def push(self) -> None:
        perform(self.sim, c.SetForce(self.random.randrange(1, self.sim.model.nbody), tuple(self.random.uniform(-20, 20) for _ in range(6))))

    def option(self) -> None:
        perform(self.sim, self.random.choice((c.SetOption("gravity", self.random.uniform(-12, -6), 2), c.SetNoise(self.random.choice((0.0, 0.2)), 0.1, self.random.randrange(99)), c.RevertAll())))


class Watched(Redo):
    """Does a run again and notes which steps each state comes from. steps: {(number, state): index}; those: of each index (Model, values set in the window, whether the mouse pulled)."""

    def __init__(self, load):
        super().__init__(load, Simulation(history_bytes=HISTORY, ready=True))
        self.steps_of: dict[tuple[int, bytes], int] = {}
        self.those: list[tuple[int, str, bool]] = []
        self._model = -1

    def install(self, begun) -> None:
        super().install(begun)
        self._model = begun.model

    def steps(self, op) -> None:
        super().steps(op)
        sim = self.simulation
        index = len(self.those)
        self.those.append((self._model, CODEC.text(sim.values.items(sim.model)), bool(sim.data.perturb_active)))
        for piece in reversed(sim.history.track().pieces):
            if piece.number + len(piece.rows) <= op.number + 1:
                break
            for k in range(max(0, op.number + 1 - piece.number), len(piece.rows)):
                self.steps_of[piece.number + k, piece.rows[k].tobytes()] = index


def do(redo: Watched, ops) -> None:
    for op in ops:
        if op.kind == journal.STEPS:
            redo.steps(op)
        else:
            redo.do([op])


def moments_of(recording, redo: Watched, count: int, seed: int) -> list[tuple[int, int, int]]:
    """(branch, place of the piece, row) of so many moments, chosen by chance, that were followed by steps in which nobody touched anything."""
    r, found, tried = random.Random(seed), set(), 0
    places = [(branch.id, k, len(piece.rows)) for branch in recording.branches for k, piece in enumerate(branch.track.pieces) if len(piece.rows) > AFTER]
    while len(found) < count and tried < 1000 * count and places:
        tried += 1
        branch, place, rows = r.choices(places, [rows for _branch, _place, rows in places])[0]
        piece, k = recording.branch(branch).track.pieces[place], r.randrange(rows - AFTER)
        steps = {redo.steps_of.get((piece.number + i, piece.rows[i].tobytes())) for i in (*range(k, k + AFTER, 7), k + AFTER)}
        if len(steps) == 1 and None not in steps and not redo.those[steps.pop()][2]:
            found.add((branch, place, k))
    return sorted(found)


def check_moments(recording, redo: Watched, folder: Path, count: int, seed: int) -> dict:
    """Run on from recorded moments, with the Model and what was set in it then; those that gave other bits."""
    groups: dict[tuple[int, str], list] = {}
    for branch, place, k in moments_of(recording, redo, count, seed):
        piece = recording.branch(branch).track.pieces[place]
        model, values, _pulled = redo.those[redo.steps_of[piece.number + k, piece.rows[k].tobytes()]]
        groups.setdefault((model, values), []).append((branch, piece, k))
    wrong, moments = [], 0
    for number, ((model, values), places) in enumerate(groups.items()):
        prepared = prepare(replace(recording, running=model, values=values), folder / str(number))
        for branch, piece, k in places:
            sim = Simulation(history_bytes=HISTORY, ready=True)
            run_on(sim, prepared)
            if branch != recording.shown:
                perform(sim, c.SwitchBranch(branch))
            perform(sim, c.Scrub(piece.number + k - sim.history.gone))
            sim.take(AFTER)
            again = np.concatenate([part.rows for part in sim.history.track().pieces[-2:] if part.rows.shape[1] == piece.rows.shape[1]])[-AFTER:]
            moments += 1
            if not (again.view(np.int64) == np.ascontiguousarray(piece.rows[k + 1:k + 1 + AFTER]).view(np.int64)).all():
                wrong.append((branch, piece.number + k))
    return {"moments": moments, "wrong": wrong, "models_of_moments": len(groups)}


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600.0, help="simulated seconds")
    parser.add_argument("--moments", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, default=Path("replay.json"))
    chosen = parser.parse_args(arguments)
    physics.ensure_kernels()
    with tempfile.TemporaryDirectory(prefix="linkwork-") as folder:
        found = prove(Path(folder), chosen)
    chosen.json.write_text(json.dumps(found, indent=1))
    print(json.dumps(found, indent=1))
    return 0 if found["same"] and not found["wrong"] and found["disk_same"] and found["moments"] == chosen.moments else 1


def prove(folder: Path, chosen) -> dict:
    sim = Simulation(history_bytes=HISTORY, ready=True, models=ModelStore(folder / "models"))
    perform(sim, c.SwapModel(physics.load(bundled_model("humanoid.xml")), document=1))
    lively, reader, spool = Lively(sim, chosen.seed), JournalReader(sim.journal, 0), Spool(folder / "run")
    begun, spooled, captured, next_turn = time.perf_counter(), 0.0, 0.0, 0.0
    while lively.simulated < chosen.seconds:
        lively.turn()
        if lively.simulated >= next_turn:
            next_turn = lively.simulated + 1.0
            start = time.thread_time()
            taken = capture(sim, reader)
            captured += time.thread_time() - start
            start = time.thread_time()
            spool.append(replace(taken.recording, inputs=taken.lines, models=taken.models(taken.numbers())), taken.changed)
            spooled += time.thread_time() - start
    taken = capture(sim, reader)
    spool.append(replace(taken.recording, inputs=taken.lines, models=taken.models(taken.numbers())), taken.changed)
    found = {"seconds": lively.simulated, "counts": lively.counts, "wall_run": time.perf_counter() - begun}
    recording = capture(sim).whole()
    disk = recover(spool.folder)
    found |= {"disk_same": first_difference(recording.tracks(), disk.tracks()) is None and disk.inputs == recording.inputs and {k: len(t) for k, t in disk.tracks().items()} == {
        k: len(t) for k, t in recording.tracks().items()}, "disk_mb_per_hour": spool.size / 1e6 * 3600 / lively.simulated, "spool_share": spooled / lively.simulated,
        "capture_ms": 1e3 * captured / max(1, round(lively.simulated))}
    path, start = folder / "run.h5", time.perf_counter()
    file.save(disk, path)
    found |= {"wall_save": time.perf_counter() - start, "file_mb": path.stat().st_size / 1e6, "states": recording.steps, "branches": len(recording.branches),
              "models": len(recording.models), "inputs": len(recording.inputs)}
    start = time.perf_counter()
    loaded = file.load(path)
    prepared = prepare(loaded, folder / "again")
    found["wall_load"] = time.perf_counter() - start
    start = time.perf_counter()
    redo = Watched(prepared.store.load)
    do(redo, prepared.ops)
    found["wall_again"] = time.perf_counter() - start
    again = tracks(redo.simulation)
    difference = first_difference(loaded.tracks(), again)
    lengths = {k: len(t) for k, t in again.items()} == {k: len(t) for k, t in loaded.tracks().items()}
    found |= {"same": difference is None and lengths, "difference": str(difference) if difference else ""}
    return found | check_moments(loaded, redo, folder / "moments", chosen.moments, chosen.seed)


if __name__ == "__main__":
    sys.exit(main())
