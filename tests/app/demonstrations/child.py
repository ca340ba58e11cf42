"""A process that gives demonstrations until it is killed: python -m tests.app.demonstrations.child FOLDER PHASE. It says 'now ENTRY' in the phase in which it is to be killed, with
the entry at which it was a second before."""
import sys
import time
from pathlib import Path

from app.demonstrations.keeper import Keeper
from app.demonstrations.session import Session
from app.demonstrations.steering import Steering
from physics.runtime import commands as c
from tests.app.demonstrations.live import Live
from tests.app.demonstrations.made import PATH


def main(folder: str, phase: str) -> None:
    """Give one demonstration, then come into the phase and stay there."""
    live = Live()
    keeper = Keeper(live.runner, Path(folder), "pusher.xml")
    keeper.keep_model(live.model, {PATH: live.text})
    keeper.begin()
    live.runner.send(c.SwapModel(live.model, document=1))
    session = Session(live.runner, keeper)
    live.runner.send(c.Run())
    if phase != "before":
        session.start("push")
        live.step(40)
        session.succeed()
        session.reset()
        session.start()
        live.runner.send(c.Run())
    if phase == "rewound":
        live.step(60)
        session.update()
        Steering(live.runner, session).rewind(0.1)
    if phase == "ended":
        session.fail()
    if phase == "discarded":
        session.discard()
    live.settle()
    entries = []
    while True:     # at real time speed, driven all the while
        entries.append((time.monotonic(), live.visit(lambda sim: sim.history.number)))
        live.runner.send(c.SetCtrl(0, 0.3 * (len(entries) % 3)))
        before = [entry for now, entry in entries if now <= entries[-1][0] - 1.0]
        if before and entries[-1][0] - entries[0][0] > 1.5:
            print("now", before[-1], flush=True)
            time.sleep(60)
        time.sleep(0.01)


if __name__ == "__main__":
    main(*sys.argv[1:])
