"""Temporary stand-ins until contacts and constraints land; only for models without either."""
from __future__ import annotations

from physics.kernels.decorators import kernel


@kernel()
def collision(m, d):
    """No contacts."""
    d.ncon = 0


@kernel()
def make_constraint(m, d):
    """No rows."""
    d.nefc = 0


@kernel()
def reference_constraint(m, d):
    """No rows."""
    d.nefc = 0


@kernel()
def fwd_constraint(m, d):
    """qacc = qacc_smooth.

    Writes: qacc, qfrc_constraint
    """
    for k in range(m.nv):
        d.qacc[k] = d.qacc_smooth[k]
        d.qfrc_constraint[k] = 0.0
