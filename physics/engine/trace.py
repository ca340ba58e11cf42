"""Chosen numbers of each step, taken between the forward dynamics and the integration: all of them belong to the state that the step begins with.

    trace:   | time value value ... | time value value ... |   rows of 1 + trace_count numbers, trace_cap of them
    column:  kind, where, place, limit, row      of a field: address of the slot that holds the array's address (of a single number: its own address), place of the
                                                 number in the array, address of the count of used rows (0: all are used), row of the number
             CONTACT, pair, value, axis, 0       of the contacts between two things (physics/quantities/contact_pair.py has the same sums)
             ROW_SUM or ROW_LEAST, where, efc_type, efc_id, place    of constraint rows: address of the slot that holds the address of an efc_ field, what the rows
                                                 belong to, which of them, -1: all (physics/quantities/constraint_rows.py has the same)

Every operation rounds by itself, so that the numbers are those that NumPy computes from the same Data.
"""
from __future__ import annotations

from math import nan, sqrt

from physics.engine.constraint.contact_force import contact_forces
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.memory import peek_f4, peek_f8, peek_i4, peek_i8, peek_u1
from physics.kernels.rows import off

F8, F4, I8, I4, U1, SCALAR_F, SCALAR_I, CONTACT, ROW_SUM, ROW_LEAST = range(10)
FORCE, NORMAL, FRICTION, DIST, POS, COUNT = range(6)     # the order of CONTACT_VALUES


@helper(fastmath=EXACT)
def field_number(kind, where, place, limit, row):
    """A number of a field; NaN where its row is not used now."""
    if limit != 0 and row >= peek_i8(limit):
        return nan
    if kind == SCALAR_F:
        return peek_f8(where)
    if kind == SCALAR_I:
        return float(peek_i8(where))
    start = peek_i8(where)
    if kind == F8:
        return peek_f8(start + 8 * place)
    if kind == F4:
        return peek_f4(start + 4 * place)
    if kind == I8:
        return float(peek_i8(start + 8 * place))
    if kind == I4:
        return float(peek_i4(start + 4 * place))
    return float(peek_u1(start + place))


@helper(fastmath=EXACT)
def side(m, d, pair, i):
    """-1 where geom 1 of contact i is the first thing's and geom 2 the second's, 1 the other way round, 0 where the contact is none of theirs."""
    one = d.trace_side[pair * m.ngeom + d.contact_geom[i, 0]]
    other = d.trace_side[pair * m.ngeom + d.contact_geom[i, 1]]
    if one & 1 and other & 2:
        return -1.0
    if other & 1 and one & 2:
        return 1.0
    return 0.0


@helper(fastmath=EXACT)
def total_force(m, d, pair, axis, first):
    """Component of the force on the first thing in world axes; first 1: only its tangential part."""
    total = 0.0
    for i in range(d.ncon):
        sign = side(m, d, pair, i)
        if sign != 0.0:
            normal = 0.0 if first == 1 else d.contact_force[i, 0]
            total = total + sign * (d.contact_frame[i, axis] * normal + d.contact_frame[i, 3 + axis] * d.contact_force[i, 1] + d.contact_frame[i, 6 + axis] * d.contact_force[i, 2])
    return total


@helper(fastmath=EXACT)
def mean_position(m, d, pair, axis):
    """Mean of the contacts' positions, weighted by the normal forces where there are any."""
    pushes = 0
    for i in range(d.ncon):
        if side(m, d, pair, i) != 0.0 and d.contact_force[i, 0] > 0.0:
            pushes = 1
    total = 0.0
    whole = 0.0
    for i in range(d.ncon):
        if side(m, d, pair, i) != 0.0:
            weight = 1.0
            if pushes == 1:
                weight = max(d.contact_force[i, 0], 0.0)
            whole = whole + weight
            total = total + weight * d.contact_pos[i, axis]
    if whole == 0.0:
        return nan
    return total / whole


@helper(fastmath=EXACT)
def contact_number(m, d, pair, value, axis):
    """A value of the contacts between two things."""
    if value == FORCE:
        return total_force(m, d, pair, axis, 0)
    if value == FRICTION:
        x = total_force(m, d, pair, 0, 1)
        y = total_force(m, d, pair, 1, 1)
        z = total_force(m, d, pair, 2, 1)
        return sqrt(x * x + y * y + z * z)
    if value == POS:
        return mean_position(m, d, pair, axis)
    found = nan if value == DIST else 0.0
    for i in range(d.ncon):
        if side(m, d, pair, i) != 0.0:
            if value == NORMAL:
                found = found + d.contact_force[i, 0]
            elif value == COUNT:
                if d.contact_exclude[i] == 0:
                    found = found + 1.0
            elif not found <= d.contact_dist[i]:
                found = d.contact_dist[i]
    return found


@helper(fastmath=EXACT)
def row_number(d, how, where, kind, ident, place):
    """Of the rows of an equality, a limit or dry friction, one of them or all: the sum of a field, 0 while there are none, or the least, NaN while there are none."""
    start = peek_i8(where)
    found = 0.0 if how == ROW_SUM else nan
    k = 0
    for i in range(d.ne + d.nf + d.nl):
        if d.efc_type[i] == kind and d.efc_id[i] == ident:
            if place < 0 or place == k:
                value = peek_f8(start + 8 * i)
                if how == ROW_SUM:
                    found = found + value
                elif not found <= value:
                    found = value
            k = k + 1
        elif k > 0:     # the rows of one follow each other
            break
    return found


@kernel(fastmath=EXACT)
def trace_values(m, d):
    """Append the present values to the trace, where it has room.

    Reads: time, trace_cap, trace_count, trace_pairs, trace_column, trace_side, ncon, contact_geom, contact_frame, contact_force, contact_pos, contact_dist,
        contact_exclude, ne, nf, nl, efc_type, efc_id, and what the columns name
    Writes: trace, trace_end, contact_force
    """
    if d.trace_end >= d.trace_cap:
        return
    row = off(d.trace, d.trace_end * (1 + d.trace_count))
    row[0] = d.time
    if d.trace_pairs > 0:
        contact_forces(m, d)
    for c in range(d.trace_count):
        kind = d.trace_column[c, 0]
        if kind == CONTACT:
            row[1 + c] = contact_number(m, d, d.trace_column[c, 1], d.trace_column[c, 2], d.trace_column[c, 3])
        elif kind == ROW_SUM or kind == ROW_LEAST:
            row[1 + c] = row_number(d, kind, d.trace_column[c, 1], d.trace_column[c, 2], d.trace_column[c, 3], d.trace_column[c, 4])
        else:
            row[1 + c] = field_number(kind, d.trace_column[c, 1], d.trace_column[c, 2], d.trace_column[c, 3], d.trace_column[c, 4])
    d.trace_end = d.trace_end + 1
