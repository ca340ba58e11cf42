"""Demonstrations made up for tests: an arm that pushes a cube, driven by controls and a mocap body."""
from __future__ import annotations

import random
from pathlib import Path

import physics
from physics.recording import file
from physics.recording.models import ModelStore
from physics.runtime import commands as c
from physics.runtime.perform import perform
from physics.runtime.recorded.capture import capture
from physics.runtime.simulation import Simulation

TEXT = """<mujoco model="pusher"><option timestep="0.005"/>
<visual><global offwidth="640" offheight="480"/></visual>
<worldbody><light pos="0 0 3"/><geom name="floor" type="plane" size="2 2 .1"/>
<camera name="front" pos="0 -1.5 .8" xyaxes="1 0 0 0 .5 .9"/>
<body name="upper" pos="0 0 .1"><joint name="shoulder" axis="0 0 1" damping=".5" range="-2 2"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
<body name="lower" pos=".3 0 0"><joint name="elbow" axis="0 0 1" damping=".5" range="-2 2"/><geom type="capsule" size=".03" fromto="0 0 0 .25 0 0"/>
<site name="grip" pos=".25 0 0"/><camera name="wrist" pos=".1 0 .2" xyaxes="0 -1 0 1 0 .3"/></body></body>
<body name="cube" pos=".3 .25 .05"><freejoint name="cube"/><geom name="cube" type="box" size=".05 .05 .05" mass=".2"/></body>
<body name="target" mocap="true" pos=".5 .2 .1"><geom type="sphere" size=".02" contype="0" conaffinity="0"/></body></worldbody>
<actuator><position name="shoulder" joint="shoulder" kp="20"/><position name="elbow" joint="elbow" kp="10"/></actuator>
<sensor><framepos name="cube" objtype="body" objname="cube"/><jointpos name="bend" joint="elbow"/></sensor>
<keyframe><key name="home" qpos="0 .3 .3 .25 .05 1 0 0 0" mpos=".5 .2 .1"/></keyframe></mujoco>"""
PATH = "/x/pusher.xml"


class Made:
    """A run that is driven by hand, without a thread."""

    def __init__(self, folder: Path, seed: int = 0, text: str = TEXT):
        physics.ensure_kernels()
        self.text, self.random = text, random.Random(seed)
        self.sim = Simulation(models=ModelStore(folder / f"models{seed}"))
        self.do(c.SwapModel(physics.load_string(text), document=1))

    def do(self, *commands) -> None:
        """Carry them out."""
        for command in commands:
            perform(self.sim, command)
        assert not [event.text for event in self.sim.events if event.kind in ("error", "refused")], list(self.sim.events)

    def say(self, what: str, text: str = "", number: int = -1) -> None:
        """A word about an episode."""
        self.do(c.NoteEpisode(what, text, number))

    def move(self, steps: int, every: int = 7) -> None:
        """Drive by chance for so many steps."""
        self.sim.set_running(True)
        while steps > 0:
            n = min(steps, self.random.randrange(1, 2 * every))
            self.do(c.SetCtrl(0, self.random.uniform(-0.2, 1.2)), c.SetCtrl(1, self.random.uniform(-0.5, 1.0)),
                    c.MoveMocap(0, (0.5 + self.random.uniform(-0.1, 0.1), 0.2, 0.1 + self.random.uniform(0, 0.1)), (1.0, 0.0, self.random.uniform(-0.3, 0.3), 0.0)))
            steps -= self.sim.take(n)
        self.sim.set_running(False)

    def episode(self, steps: int, outcome: str = "success", task: str = "push the cube") -> None:
        """Reset, start, drive, and say how it ended."""
        self.do(c.LoadKey(0))
        self.say("start", task)
        self.move(steps)
        if outcome:
            self.say(outcome)

    def recording(self):
        """All so far."""
        return capture(self.sim).whole({0: {PATH: self.text}}, about={"name": "pusher.xml", "created": "today", "timestep": "0.005"})

    def save(self, path: Path) -> Path:
        """The same as a file."""
        file.save(self.recording(), path)
        return path
