"""By which engine the commands of this folder move their models: `--engine soft|hard`, and what each needs."""
from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NamedTuple

import physics
from physics.model.model import Model
from physics.simulate.engines import ENGINES

SOFT_STEPS = 10     # of the soft engine in one time step of the paper: contacts need steps of milliseconds


class ByEngine(NamedTuple):
    """name; steps: in one of the paper's time steps; kappa: of derivatives, as the paper has it for the purpose."""

    name: str
    steps: int
    kappa: float

    def load(self, text: Callable[[int], str]) -> Model:
        """The model of text(steps). With the hard engine each step is solved at exactly kappa, where one is given."""
        m = physics.load_string(text(self.steps))
        if self.name != "soft":
            m.opt_engine = [engine.name for engine in ENGINES].index(self.name)
            m.opt_hard_kappa = self.kappa
        return m


def add_engine(parser: argparse.ArgumentParser) -> None:
    """The option --engine; the last engine that there is is the default."""
    names = [engine.name for engine in ENGINES]
    parser.add_argument("--engine", choices=names, default=names[-1])


def by_engine(name: str, kappa: float, steps: int = SOFT_STEPS) -> ByEngine:
    """What an engine needs, its kernels compiled; steps: of the soft one."""
    physics.ensure_kernels()
    if name == "hard":
        physics.ensure_hard()
    return ByEngine(name, steps if name == "soft" else 1, kappa)
