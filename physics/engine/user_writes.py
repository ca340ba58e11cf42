"""What functions of the user's have written of Data since the newest entry: found in one call, as they may write at every step.

    entry of the history | held numbers  --find_writes-->  a bit for each field that differs     noted:  | step, how many from there, bits | ...   and the numbers of these fields
    field:  kind, address of its numbers, how many, place: where in an entry (bytes), or which of the held numbers

Compared are bits, not values: whatever was written comes back as it was, -0.0 and NaN too.
"""
from __future__ import annotations

from physics.engine.advance import advance
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.memory import peek_i8, peek_u1

ENTRY, HELD_F8, HELD_U1 = range(3)      # kinds of fields: of an entry, held numbers of 8 bytes and of one
# places in write_at; FIRST: entry before step 0, HELD: bits of the fields that are held, KNOWN: whether it is known as what, OPEN: whether the last note may go on
FIELDS, ENTRIES, STRIDE, BEFORE, FIRST, HELD, KNOWN, NOTES, NUMBERS, NOTES_ROOM, NUMBERS_ROOM, OPEN = range(12)
LONGEST = 1000      # steps of one note
NO_ROOM, HELD_TOO = -1, 2


@helper(fastmath=EXACT)
def bits_of(kind, start, i):
    """Number i of a field, as it lies in memory."""
    if kind == HELD_U1:
        return peek_u1(start + i)
    return peek_i8(start + 8 * i)


@helper(fastmath=EXACT)
def differs(a, f, row):
    """1 where field f is not as in the entry at this address (0: there is none), or as it was held."""
    kind = a.write_field[f, 0]
    start = a.write_field[f, 1]
    place = a.write_field[f, 3]
    if kind == ENTRY:
        if row == 0:
            return 1
        for i in range(a.write_field[f, 2]):
            if peek_i8(start + 8 * i) != peek_i8(row + place + 8 * i):
                return 1
        return 0
    if a.write_at[KNOWN] == 0:
        return 1
    for i in range(a.write_field[f, 2]):
        if bits_of(kind, start, i) != a.write_held[place + i]:
            return 1
    return 0


@helper(fastmath=EXACT)
def note(a, step, found):
    """Append the numbers of these fields; to the last note where that is of the same fields for the step before."""
    k = a.write_at[NUMBERS]
    for f in range(a.write_at[FIELDS]):
        if found & (1 << f):
            for i in range(a.write_field[f, 2]):
                a.write_number[k + i] = bits_of(a.write_field[f, 0], a.write_field[f, 1], i)
            k = k + a.write_field[f, 2]
    n = a.write_at[NOTES]
    a.write_at[NUMBERS] = k
    if a.write_at[OPEN] == 1 and a.write_note[n - 1, 2] == found and a.write_note[n - 1, 0] + a.write_note[n - 1, 1] == step and a.write_note[n - 1, 1] < LONGEST:
        a.write_note[n - 1, 1] = a.write_note[n - 1, 1] + 1
        return
    a.write_note[n, 0] = step
    a.write_note[n, 1] = 1
    a.write_note[n, 2] = found
    a.write_at[NOTES] = n + 1
    a.write_at[OPEN] = 1


@helper(fastmath=EXACT)
def hold(a, found):
    """The held numbers of these fields are those of now."""
    for f in range(a.write_at[FIELDS]):
        if found & (1 << f) and a.write_field[f, 0] != ENTRY:
            for i in range(a.write_field[f, 2]):
                a.write_held[a.write_field[f, 3] + i] = bits_of(a.write_field[f, 0], a.write_field[f, 1], i)
    a.write_at[KNOWN] = 1


@helper(fastmath=EXACT)
def find(a, step, noted):
    """The fields that differ, as bits, by now known as held; noted 1: with their numbers. NO_ROOM where there is none for these."""
    entry = a.write_at[FIRST] + step
    row = a.write_at[BEFORE] if entry < 0 else a.write_at[ENTRIES] + entry * a.write_at[STRIDE]
    found = 0
    count = 0
    for f in range(a.write_at[FIELDS]):
        if differs(a, f, row) == 1:
            found = found | (1 << f)
            count = count + a.write_field[f, 2]
    if found == 0:
        return 0
    if noted == 1:
        if a.write_at[NOTES] >= a.write_at[NOTES_ROOM] or a.write_at[NUMBERS] + count > a.write_at[NUMBERS_ROOM]:
            return NO_ROOM
        note(a, step, found)
    if found & a.write_at[HELD]:
        hold(a, found)
    return found


@kernel("a i i", ret="i", fastmath=EXACT)
def find_writes(a, step, noted):
    """The fields of Data that differ from the entry before this step, as bits; noted 1: with their numbers, as written for this step.

    NO_ROOM where there is none for that: to be called again then.
    """
    return find(a, step, noted)


@helper(fastmath=EXACT)
def step_result(a, found, done):
    """What is returned of a step for which these fields were found written; done: whether it was completed."""
    if found & a.write_at[HELD]:
        return done + HELD_TOO
    return done


@kernel("m d a i", ret="i", fastmath=EXACT)
def advance_noting(m, d, a, step):
    """Note what is written for this step, and take it; 1 where it was completed, else 0. And HELD_TOO where held inputs are among what is written.

    NO_ROOM where there is none for the note: to be called again then; nothing has happened.
    Reads: what advance reads
    Writes: what advance writes
    """
    found = find(a, step, 1)
    if found == NO_ROOM:
        return NO_ROOM
    return step_result(a, found, advance(m, d, 1, 0))
