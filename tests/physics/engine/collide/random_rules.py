"""Small random scenes in which all rules of who may touch whom come up: weld groups, worlds, parents, masks, excludes, pairs, planes, mocap."""
from __future__ import annotations

import numpy as np

KINDS = ("sphere", "capsule", "box")
FLAGS = ("filterparent", "midphase")


def numbers(values) -> str:
    return " ".join(f"{x:.4g}" for x in values)


class Scene:
    """Builds the text of one scene; geoms and bodies are named g0, g1, ... and b0, b1, ... in the order of the text."""

    def __init__(self, seed: int, pairs: bool):
        self.r = np.random.default_rng(seed)
        self.pairs = pairs
        # officially the broad phase forgets gaps while margins are overridden: a contact within the gap is then found or not by chance
        self.overridden = self.pick(0.15)
        self.ngeom = self.nbody = 0

    def pick(self, p: float) -> bool:
        return self.r.random() < p

    def geom(self, plane: bool = False) -> str:
        r = self.r
        kind = "plane" if plane else KINDS[r.integers(3)]
        size = "0 0 1" if plane else numbers(r.uniform(0.1, 0.4, 1 + KINDS.index(kind)))
        masks = numbers(r.integers(0, 4, 2)) if self.pick(0.4) else "1 1"
        contype, conaffinity = masks.split()
        more = ""
        if self.pick(0.2):
            more += f' margin="{r.uniform(0, 0.2):.3f}"'
        if not self.overridden and self.pick(0.2):
            more += f' gap="{r.uniform(0, 0.2):.3f}"'
        if self.pick(0.2):
            more += f' priority="{r.integers(-1, 2)}" condim="{r.choice([1, 3, 4, 6])}"'
        place = numbers(0.3 * r.normal(size=3))
        name, self.ngeom = f"g{self.ngeom}", self.ngeom + 1
        return f'<geom name="{name}" type="{kind}" size="{size}" pos="{place}" euler="{numbers(r.uniform(0, 90, 3))}" contype="{contype}" conaffinity="{conaffinity}"{more}/>'

    def body(self, depth: int, fixed: bool) -> str:
        """A body that moves or is fixed to its parent, with children. fixed: nothing above it moves."""
        r = self.r
        name, self.nbody = f"b{self.nbody}", self.nbody + 1
        head, kind = "", r.integers(6)
        if depth == 0 and kind == 0:
            head = ' mocap="true"'
        joint = ""
        if not head:
            if depth == 0 and kind < 3:
                joint = "<freejoint/>"
            elif kind < 5:
                joint = '<joint type="slide"/>' if kind < 4 else "<joint/><joint axis='1 0 0'/>"
        fixed = fixed and not joint
        geoms = "".join(self.geom(fixed and self.pick(0.15)) for _ in range(r.integers(0, 4)))
        children = "".join(self.body(depth + 1, fixed) for _ in range(r.integers(0, 3))) if depth < 3 else ""
        return (f'<body name="{name}" pos="{numbers(0.25 * r.normal(size=3))}" euler="{numbers(r.uniform(0, 90, 3))}"{head}>{joint}'
                f'<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>{geoms}{children}</body>')

    def pair(self) -> str:
        r = self.r
        g1, g2 = r.integers(0, self.ngeom, 2)
        more = ""
        for name, p, value in (("condim", 0.5, r.choice([1, 3, 4, 6])), ("margin", 0.3, r.uniform(0, 0.3)), ("gap", 0.3, r.uniform(0, 0.3)),
                               ("friction", 0.5, numbers(r.uniform(0, 1, r.integers(1, 6)))), ("solref", 0.3, numbers(r.uniform(0.01, 1, 2))),
                               ("solreffriction", 0.3, numbers(r.uniform(0.01, 1, 2))), ("solimp", 0.3, numbers((0.7, 0.9, 0.01)))):
            if self.pick(p):
                more += f' {name}="{value}"'
        return f'<pair geom1="g{g1}" geom2="g{g2}"{more}/>'

    def text(self) -> str:
        r = self.r
        world = "".join(self.geom(self.pick(0.4)) for _ in range(r.integers(0, 4)))
        bodies = "".join(self.body(0, True) for _ in range(r.integers(2, 5)))
        contact = ""
        for _ in range(r.integers(0, 4)):
            b1, b2 = (f"b{k - 1}" if k else "world" for k in r.choice(self.nbody + 1, 2, replace=False))
            contact += f'<exclude body1="{b1}" body2="{b2}"/>'
        if self.pairs and self.ngeom:
            contact += "".join(self.pair() for _ in range(r.integers(1, 7)))
        flags = "".join(f' {name}="disable"' for name in FLAGS if self.pick(0.25))
        override = ""
        if self.overridden:
            flags += ' override="enable"'
            override = f' o_margin="{r.uniform(0, 0.2):.3f}" o_solref="0.05 0.8" o_friction="0.5 0.4 0.01 0.02 0.01"'
        return (f"<mujoco><option{override}><flag{flags}/></option><worldbody>{world}{bodies}</worldbody>"
                f"<contact>{contact}</contact></mujoco>")
