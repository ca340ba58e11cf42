"""Control noise: a smooth random motion (Ornstein-Uhlenbeck) that is added to the user's controls, not put in their place.

Each step: noise = r noise + s h N(0, 1), r = exp(-timestep / rate), s = scale sqrt(1 - r^2), h half the control range where it
is limited, else 1; the standard deviation settles at scale h. The random numbers come from a counter, so a step that is
taken again after going back in the history draws the same ones.

Source: MuJoCo's simulate (control noise); G. Uhlenbeck, L. Ornstein, "On the theory of the Brownian motion", 1930;
J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011 (Philox 2x32-10); G. Box, M. Muller, 1958.
"""
from __future__ import annotations

from math import cos, exp, log, pi, sqrt

from physics.kernels.decorators import helper, kernel

MASK = 0xFFFFFFFF
MULTIPLIER = 0xD256D193  # Philox 2x32
WEYL = 0x9E3779B9


@helper
def philox(counter, stream, key):
    """Two random 32-bit numbers for (counter, stream) under the key. Products wrap alike in 64 bits and as Python numbers."""
    a = counter & MASK
    b = stream & MASK
    k = key & MASK
    for _ in range(10):
        product = a * MULTIPLIER
        a = ((product >> 32) & MASK) ^ k ^ b
        b = product & MASK
        k = (k + WEYL) & MASK
    return a, b


@helper
def normal(counter, stream, key):
    """A standard normal number for (counter, stream) under the key."""
    a, b = philox(counter, stream, key)
    return sqrt(-2.0 * log((a + 1.0) / 4294967296.0)) * cos(2.0 * pi * b / 4294967296.0)


@kernel()
def control_noise(m, d):
    """Move the control noise on by one step; zero it where noise is off.

    Reads: noise_scale, noise_rate, noise_seed, noise_step, ctrl_noise
    Writes: ctrl_noise, noise_step
    """
    scale = d.noise_scale
    if scale <= 0.0:
        for i in range(m.nu):
            d.ctrl_noise[i] = 0.0
        return
    r = 0.0
    if d.noise_rate > 0.0:
        r = exp(-m.opt_timestep / d.noise_rate)
    s = scale * sqrt(1.0 - r * r)
    for i in range(m.nu):
        half = 1.0
        if m.actuator_ctrllimited[i] != 0:
            half = 0.5 * (m.actuator_ctrlrange[i, 1] - m.actuator_ctrlrange[i, 0])
        d.ctrl_noise[i] = r * d.ctrl_noise[i] + s * half * normal(d.noise_step, i, d.noise_seed)
    d.noise_step = d.noise_step + 1
