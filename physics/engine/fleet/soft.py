"""Many simulations moved by the engine with soft constraints: steps, what follows from a state, runs under given controls.

Called by one thread with its own `slot` of Data; several such threads share all rows, each simulation being one thread's.
"""
from __future__ import annotations

from physics.engine.fleet.rows import begin_run, count_divergence, load_rows, note_divergence, state_is_sound, store_rows
from physics.engine.forward import evaluate, step
from physics.engine.rollout import keep_step, take_controls
from physics.enums import STAGE_NONE
from physics.kernels.decorators import helper, kernel

DRIVEN, OWN_START = 1, 2    # flags of a run: its controls come from rollout_ctrl; it begins at a state of its own


@helper
def take_steps(a, m, d, slot, i, n):
    """n steps of simulation i, whose rows are in d; how many were completed with sound numbers. Where a step lacked room (or called what is not compiled), so that the caller
    sees to it and goes on with the simulation, -1 minus those that were completed before: d is where they led.

    One that diverges is brought back to where its numbers were sound for the last time, by the same steps again.
    """
    for k in range(n):
        done = step(m, d)
        if done != 0 and state_is_sound(m, d):
            continue
        if done == 0 and d.diverged == 0:
            return -1 - k
        note_divergence(a, m, d, i)
        load_rows(a, slot, i)
        for _ in range(k):
            step(m, d)
        count_divergence(a, d, i)
        return k
    return n


@kernel("a m D i i i i", ret="i")
def fleet_steps(a, m, D, slot, first, last, n):
    """Advance the simulations fleet_id[first:last] by n steps each. slot: the Data to work in, negative: simulation i has Data i - slot - 1 to itself.

    Those that stopped before (fleet_warning) stay; fleet_begun is how many of the n one has taken in this call before it lacked room. Returns the place of the first that is still to be moved as a step lacked room, last where there is none.
    """
    for k in range(first, last):
        i = a.fleet_id[k]
        if a.fleet_warning[i] != 0:
            continue
        s = slot if slot >= 0 else i - slot - 1
        d = D[s]
        load_rows(a, s, i)
        done = take_steps(a, m, d, s, i, n - a.fleet_begun[i])
        store_rows(a, s, i)
        if done < 0:
            a.fleet_begun[i] -= done + 1
            a.fleet_steps[i] -= done + 1
            return k
        a.fleet_begun[i] = 0
        a.fleet_steps[i] += done
    return last


@kernel("a m D i i i", ret="i")
def fleet_forward(a, m, D, slot, first, last):
    """Compute what follows from the states of the simulations fleet_id[first:last]; they stay where they are. Arguments and result as of fleet_steps."""
    for k in range(first, last):
        i = a.fleet_id[k]
        s = slot if slot >= 0 else i - slot - 1
        d = D[s]
        load_rows(a, s, i)
        if evaluate(m, d, STAGE_NONE, 1) == 0 or d.cb_error != 0:
            return k
        store_rows(a, s, i)
    return last


@kernel("a m D i i i i i", ret="i")
def fleet_rollout(a, m, D, slot, first, last, n, flags):
    """Runs first .. last-1 of n steps each: run k with the fields of simulation fleet_id[k], whose own rows stay as they are.

    States and sensor values go to rollout_state and rollout_sensor of the Data, n rows a run; completed steps to fleet_reached. Result as of fleet_steps.
    """
    d = D[slot]
    for k in range(first, last):
        load_rows(a, slot, a.fleet_id[k])
        if flags & OWN_START:
            begin_run(a, m, d, k)
        done = 0
        while done < n:
            if flags & DRIVEN:
                take_controls(m, d, k * n + done)
            if step(m, d) == 0:
                if d.diverged == 0:
                    return k
                break
            if not state_is_sound(m, d):
                break
            keep_step(m, d, k * n + done)
            done += 1
        a.fleet_reached[k] = done
    return last
