"""Rows of simulations: what each has apart from the others, copied into the memory of a Data (and of a Model) and back.

    rows of all simulations --load_rows--> Data, Model --steps--> --store_rows--> rows
    fields in this order:  of the Model | set by users (ctrl, ...) | moved by steps (qpos, ...) | found by steps (xpos, ...)
                           comes in     | comes in                 | comes in and goes out      | goes out

A field's entry in fleet_field says whose memory it lies in and where there, so that all Data of a Model share the entries: their arrays
lie alike. What is copied are bytes; a number that is no number comes back as it was.
"""
from __future__ import annotations

from physics.engine.advance import sound
from physics.engine.forward import state_is_bad
from physics.engine.integrator.integrate import refuse
from physics.enums import WARN_BADQACC, WARN_BADQPOS
from physics.kernels.decorators import helper
from physics.kernels.memory import peek_i8, peek_u1, poke_i8, poke_u1
from physics.kernels.rows import off

IN_ARRAYS, IN_BLOCK, ELSEWHERE = range(3)   # in whose memory: a Data's arrays, its block of scalars, that at an address (a Model's)
OF_MODEL, SET, MOVED, FOUND = range(4)      # places in fleet_part


@helper
def copy_bytes(target, source, n):
    """n bytes from one address to another."""
    words = n >> 3
    for k in range(words):
        poke_i8(target + 8 * k, peek_i8(source + 8 * k))
    for k in range(8 * words, n):
        poke_u1(target + k, peek_u1(source + k))


@helper
def field_address(a, f, slot):
    """Where field f lies for the Data in this slot."""
    kind = a.fleet_field[f, 0]
    if kind == ELSEWHERE:
        return a.fleet_field[f, 1]
    return a.fleet_data[slot, kind] + a.fleet_field[f, 1]


@helper
def load_rows(a, slot, i):
    """Simulation i comes into the Data in this slot."""
    for f in range(a.fleet_part[MOVED]):
        n = a.fleet_field[f, 3]
        copy_bytes(field_address(a, f, slot), a.fleet_field[f, 2] + i * n, n)


@helper
def store_rows(a, slot, i):
    """What steps have changed and found goes out into the rows of simulation i."""
    for f in range(a.fleet_part[SET], a.fleet_part[FOUND]):
        n = a.fleet_field[f, 3]
        copy_bytes(a.fleet_field[f, 2] + i * n, field_address(a, f, slot), n)


@helper
def state_is_sound(m, d):
    """Whether positions and velocities are numbers of ordinary size."""
    return sound(d.qpos, m.nq) != 0 and sound(d.qvel, m.nv) != 0


@helper
def bad_number(d):
    """The number for which the last step was refused."""
    if d.diverged == WARN_BADQPOS:
        return d.qpos[d.diverged_id]
    if d.diverged == WARN_BADQACC:
        return d.qacc[d.diverged_id]
    return d.qvel[d.diverged_id]


@helper
def note_divergence(a, m, d, i):
    """Simulation i stops here: by which warning, at which index, at which number. d.diverged is 0 where a step was completed with bad numbers: then they are looked for."""
    if d.diverged == 0:
        state_is_bad(m, d)
    a.fleet_warning[i] = d.diverged
    a.fleet_place[i] = d.diverged_id
    a.fleet_value[i] = bad_number(d)


@helper
def count_divergence(a, d, i):
    """The warning is counted among those of simulation i, whose rows have come in again since."""
    refuse(d, a.fleet_warning[i], a.fleet_place[i])


@helper
def take(values, n, row, at):
    """values[:n] = row[at:at+n]; the next place."""
    for j in range(n):
        values[j] = row[at + j]
    return at + n


@helper
def begin_run(a, m, d, k):
    """Run k begins at its own state and acceleration."""
    row = off(a.fleet_start, k * (1 + m.nq + m.nv + m.na + m.nhistory))
    d.time = row[0]
    at = take(d.qpos, m.nq, row, 1)
    at = take(d.qvel, m.nv, row, at)
    at = take(d.act, m.na, row, at)
    take(d.history, m.nhistory, row, at)
    take(d.qacc_warmstart, m.nv, off(a.fleet_warm, k * m.nv), 0)
