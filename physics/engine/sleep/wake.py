"""Waking by what is found while a step is prepared: contacts, limited tendons, equality constraints between the awake and the sleeping.

Who is woken by a contact or a tendon becomes as ready to sleep again as who woke it; by the user's own doing (a user-moved body, an equality
constraint switched on) it counts as moving.

Source: MuJoCo documentation, Programming chapter, "Sleeping islands", waking.
"""
from __future__ import annotations

from physics.engine.sleep.awake import MOVING, may_sleep, note_awake, some_asleep
from physics.engine.sleep.fall_asleep import wake_cycle
from physics.enums import EQ_CONNECT, EQ_DISTANCE, EQ_JOINT, EQ_TENDON, EQ_WELD, OBJ_SITE, S_ASLEEP, S_AWAKE, S_STATIC
from physics.kernels.decorators import helper, kernel


@helper
def wake_other(m, d, one, two):
    """Wake that of two trees which sleeps while the other is awake, to the other's count; returns how many woke."""
    if d.tree_awake[one] == d.tree_awake[two]:
        return 0
    if d.tree_awake[one] != 0:
        return wake_cycle(m, d, two, d.tree_asleep[one])
    return wake_cycle(m, d, one, d.tree_asleep[two])


@helper
def limit_acts(m, d, t):
    """Whether tendon t is at one of its limits."""
    if m.tendon_limited[t] == 0:
        return False
    length = d.ten_length[t]
    return length - m.tendon_range[t, 0] < m.tendon_margin[t] or m.tendon_range[t, 1] - length < m.tendon_margin[t]


@kernel()
def wake_by_tendons(m, d):
    """Wake trees that a limited tendon ties to an awake one.

    Reads: ten_length, tree_awake
    Writes: tree_asleep, and what note_awake writes
    """
    n = 0
    for t in range(m.ntendon):
        if m.tendon_treenum[t] == 2 and limit_acts(m, d, t):
            n += wake_other(m, d, m.tendon_treeid[t, 0], m.tendon_treeid[t, 1])
    if n > 0:
        note_awake(m, d)


@kernel("m d", ret="i")
def wake_by_contacts(m, d):
    """Wake trees in contact with an awake one or with a user-moved body; returns whether any woke.

    Reads: ncon, contact_geom, tree_awake, body_awake
    Writes: tree_asleep, and what note_awake writes
    """
    n = 0
    for c in range(d.ncon):
        b1 = m.geom_bodyid[d.contact_geom[c, 0]]
        b2 = m.geom_bodyid[d.contact_geom[c, 1]]
        one = m.body_treeid[b1]
        two = m.body_treeid[b2]
        if one >= 0 and two >= 0:
            n += wake_other(m, d, one, two)
        elif one >= 0 and d.tree_awake[one] == 0 and d.body_awake[b2] == S_AWAKE:
            n += wake_cycle(m, d, one, MOVING)
        elif two >= 0 and d.tree_awake[two] == 0 and d.body_awake[b1] == S_AWAKE:
            n += wake_cycle(m, d, two, MOVING)
    if n > 0:
        note_awake(m, d)
    return int(n > 0)


@helper
def smallest_of_cycle(m, d, t):
    """First tree of the cycle that sleeping tree t is in, -1 where it has just been woken."""
    first = t
    n = 0
    k = t
    while n <= m.ntree:
        k = d.tree_asleep[k]
        if k < 0:
            return -1
        first = min(first, k)
        if k == t:
            return first
        n += 1
    return -1


@helper
def tied_body(m, i, obj):
    """Body of an object of equality constraint i, -1: none, or a tendon's."""
    if obj < 0:
        return -1
    kind = m.eq_type[i]
    if kind == EQ_JOINT:
        return m.jnt_bodyid[obj]
    if kind == EQ_DISTANCE:
        return m.geom_bodyid[obj]
    if kind == EQ_CONNECT or kind == EQ_WELD:
        if m.eq_objtype[i] == OBJ_SITE:
            return m.site_bodyid[obj]
        return obj
    return -1


@helper
def tied_tree(m, i, obj, body):
    """Tree of an object of equality constraint i, the first one along a tendon; -1: none."""
    if body >= 0:
        return m.body_treeid[body]
    if obj >= 0 and m.eq_type[i] == EQ_TENDON:
        return m.tendon_treeid[obj, 0]
    return -1


@helper
def tied_state(d, tree, body):
    """SleepState of an object of an equality constraint."""
    if tree >= 0:
        return d.tree_awake[tree]
    if body >= 0:
        return d.body_awake[body]
    return S_STATIC


@helper
def wake_tied(m, d, i):
    """Wake what equality constraint i ties to an awake tree or user-moved body, and two islands that sleep apart; returns how many woke."""
    b1 = tied_body(m, i, m.eq_obj1id[i])
    b2 = tied_body(m, i, m.eq_obj2id[i])
    one = tied_tree(m, i, m.eq_obj1id[i], b1)
    two = tied_tree(m, i, m.eq_obj2id[i], b2)
    s1 = tied_state(d, one, b1)
    s2 = tied_state(d, two, b2)
    if one == two or s1 == S_STATIC or s2 == S_STATIC or (s1 != S_ASLEEP and s2 != S_ASLEEP):
        return 0
    if s1 == S_AWAKE:
        return wake_cycle(m, d, two, MOVING)
    if s2 == S_AWAKE or smallest_of_cycle(m, d, one) != smallest_of_cycle(m, d, two):
        n = wake_cycle(m, d, one, MOVING)
        if s2 != S_AWAKE:
            n += wake_cycle(m, d, two, MOVING)
        return n
    return 0


@kernel()
def wake_by_equalities(m, d):
    """Wake what active equality constraints tie to something awake.

    Reads: eq_active, tree_awake, body_awake
    Writes: tree_asleep, and what note_awake writes
    """
    n = 0
    for i in range(m.neq):
        if d.eq_active[i] != 0:
            n += wake_tied(m, d, i)
    if n > 0:
        note_awake(m, d)


@helper
def may_wake(m, d):
    """Whether there are sleepers that a step may wake."""
    return some_asleep(m, d) and may_sleep(m)
