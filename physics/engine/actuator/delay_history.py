"""Kept values of delayed controls and sensors: rings of samples in Data.history, one per actuator or sensor that keeps any.

    | user | newest | times, n | values, n rows of dim |

`newest` is the place of the latest sample; the samples follow each other round the ring, oldest first after it. Places in
time are counted from the oldest: 0 .. n - 1. Before the first and after the last sample the value stays what it was there.

Source: MuJoCo documentation, Computation chapter, "Delays"; Catmull and Rom, "A class of local interpolating splines", 1974
(the cubic, with slopes from the neighbours, 0 at the ends).
"""
from __future__ import annotations

from physics.enums import MINVAL
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import off

HEAD = 2  # user, newest


@helper
def place(ring, n, k):
    """Place in the ring of sample k, counted from the oldest."""
    p = int(ring[1]) + 1 + k
    return p % n


@helper
def sample_time(ring, n, k):
    """Time of sample k, counted from the oldest."""
    return ring[HEAD + place(ring, n, k)]


@helper
def value_at(ring, n, dim, k):
    """Index into the ring of the first number of sample k, counted from the oldest."""
    return HEAD + n + dim * place(ring, n, k)


@helper
def first_not_before(ring, n, t):
    """The first sample whose time is not before t; n where all are."""
    low = 0
    high = n
    while low < high:
        k = (low + high) // 2
        if sample_time(ring, n, k) < t:
            low = k + 1
        else:
            high = k
    return low


@helper
def insert(ring, n, dim, t):
    """Make room for a sample at time t: index into the ring where its numbers go.

    A sample at the same time is overwritten, else the oldest one goes. Samples stay in the order of their times.
    """
    k = first_not_before(ring, n, t)
    if k < n and abs(t - sample_time(ring, n, k)) < MINVAL:
        return value_at(ring, n, dim, k)
    if k == n:
        ring[1] = float(place(ring, n, 0))
        k = n - 1
    elif k > 0:
        k -= 1
        for j in range(k):
            to = place(ring, n, j)
            at = place(ring, n, j + 1)
            ring[HEAD + to] = ring[HEAD + at]
            for c in range(dim):
                ring[HEAD + n + dim * to + c] = ring[HEAD + n + dim * at + c]
    ring[HEAD + place(ring, n, k)] = t
    return value_at(ring, n, dim, k)


@helper
def neighbour_slope(ring, n, dim, k, c, span):
    """Slope at sample k times `span`, from the samples at its sides; 0 at the ends of the ring."""
    if k <= 0 or k >= n - 1:
        return 0.0
    rise = ring[value_at(ring, n, dim, k + 1) + c] - ring[value_at(ring, n, dim, k - 1) + c]
    return span * rise / (sample_time(ring, n, k + 1) - sample_time(ring, n, k - 1))


@helper
def read(ring, n, dim, t, order, to, adr):
    """Write the value at time t to to[adr:adr+dim]; order 0 takes the latest sample, 1 a straight line, 2 a cubic."""
    k = first_not_before(ring, n, t - MINVAL)
    held = min(k, n - 1)
    if k == 0 or k == n or sample_time(ring, n, k) <= t + MINVAL:
        order = 0
    elif order == 0:
        held = k - 1
    if order == 0:
        held = value_at(ring, n, dim, held)
        for c in range(dim):
            to[adr + c] = ring[held + c]
        return
    one = value_at(ring, n, dim, k - 1)
    two = value_at(ring, n, dim, k)
    span = sample_time(ring, n, k) - sample_time(ring, n, k - 1)
    s = (t - sample_time(ring, n, k - 1)) / span
    for c in range(dim):
        a = ring[one + c]
        b = ring[two + c]
        x = a + s * (b - a)
        if order == 2:
            p = neighbour_slope(ring, n, dim, k - 1, c, span)
            q = neighbour_slope(ring, n, dim, k, c, span)
            x = a + s * (p + s * (3.0 * (b - a) - 2.0 * p - q + s * (p + q - 2.0 * (b - a))))
        to[adr + c] = x


@kernel()
def keep_controls(m, d):
    """Keep the controls, with noise, of actuators that keep any; the state is still that of the step's start.

    Reads: time, ctrl, ctrl_noise
    Writes: history
    """
    for i in range(m.nactuator):
        n = m.actuator_history[i, 0]
        if n > 0:
            ring = off(d.history, m.actuator_historyadr[i])
            u = m.actuator_ctrladr[i]
            dim = m.actuator_ctrlnum[i]
            at = insert(ring, n, dim, d.time)
            for c in range(dim):
                ring[at + c] = d.ctrl[u + c] + d.ctrl_noise[u + c]


@kernel()
def delayed_controls(m, d):
    """Replace in ctrl_used the controls that act late by those of their time.

    Reads: time, history
    Writes: ctrl_used
    """
    for i in range(m.nactuator):
        n = m.actuator_history[i, 0]
        if n > 0 and m.actuator_delay[i] != 0.0:
            ring = off(d.history, m.actuator_historyadr[i])
            read(ring, n, m.actuator_ctrlnum[i], d.time - m.actuator_delay[i], m.actuator_history[i, 1], d.ctrl_used, m.actuator_ctrladr[i])
