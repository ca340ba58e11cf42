"""Short runs whose states an Advisor looks at."""
import numpy as np

import physics
from physics.diagnostics.advice.advisor import SAMPLES, Advisor
from physics.diagnostics.advice.sample import take_sample


def looked_at(xml: str, seconds: float = 1.6, before=None, drive=None, measure: bool = False, change=None) -> dict:
    """{kind: Advice} of a run of a model's text. before(m, d): at the start; drive(m, d, k): before the steps to sample k; change(sample): another sample in its place."""
    return {one.kind: one for one in advisor_of(xml, seconds, before, drive, measure, change).find()}


def advisor_of(xml: str, seconds: float = 1.6, before=None, drive=None, measure: bool = False, change=None, samples: int = SAMPLES) -> Advisor:
    """An Advisor that has seen such a run."""
    m = physics.load_string(xml)
    physics.ensure_kernels()
    d = physics.Data(m)
    if before is not None:
        before(m, d)
    advisor, n = Advisor(m), max(1, round(seconds / m.opt_timestep / samples))
    for k in range(samples):
        if drive is not None:
            drive(m, d, k)
        assert physics.step(m, d, n, autoreset=False) == n
        sample = take_sample(m, d)
        advisor.add(change(sample, k) if change is not None else sample)
    if measure:
        assert advisor.measure() is not None
    return advisor


def ball_mesh(vertices: int) -> str:
    """The text of a mesh with vertices spread over a ball of radius 0.2."""
    k = np.arange(vertices) + 0.5
    polar, turn = np.arccos(1 - 2 * k / vertices), np.pi * (1 + 5 ** 0.5) * k
    points = 0.2 * np.c_[np.cos(turn) * np.sin(polar), np.sin(turn) * np.sin(polar), np.cos(polar)]
    return " ".join(f"{x:.5f}" for x in points.ravel())
