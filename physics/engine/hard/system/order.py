"""In which order bodies are eliminated, and which pairs of bodies have a block of the matrix: those that touch or are tied, and fill.

Children go before their parents; among the bodies that are ready the one with the fewest neighbours goes first. Eliminating a body with dofs couples all of its
neighbours with each other, and its parent with all of them. Bodies of trees that touch each other, directly or over others, are an island: islands
come one after the other and may be solved alone.

The plan depends on the touching pairs alone and is kept while these stay.

Source: George and Liu, "The evolution of the minimum degree ordering algorithm", SIAM Review 31 (1989), section 2; Howell and others, "Dojo", (14), figure 3.
"""
from __future__ import annotations

from physics.engine.kinematics.joints import is_ball
from physics.enums import EQ_TENDON
from physics.kernels.decorators import helper, kernel

# of an edge of the graph in hard_link: its two bodies and the next edge of each, -1 at the end
EDGE = 4
TIED = 6   # pairs of bodies that a row of a tie can have


@helper
def is_moving(m, b):
    """Whether body b is part of a tree with dofs."""
    return b > 0 and m.body_treeid[b] >= 0


@helper
def moving_parent(m, b):
    """Parent of body b, 0 where that does not move."""
    a = m.body_parentid[b]
    return a if is_moving(m, a) else 0


@helper
def pair_key(m, b1, b2):
    """Number of a pair of bodies, whichever comes first."""
    return min(b1, b2) * m.nbody + max(b1, b2)


# ---------------------------------------------------------------- pairs that touch


@kernel("m d i i i", ret="i")
def note_touch(m, d, n, b1, b2):
    """Put a pair of bodies in its place among the n first of hard_touch, which ascend; -> how many there are then.

    Reads: hard_touch
    Writes: hard_touch
    """
    key = pair_key(m, b1, b2)
    # contacts come almost in order: from the end
    at = n
    while at > 0:
        before = pair_key(m, d.hard_touch[at - 1, 0], d.hard_touch[at - 1, 1])
        if before == key:
            return n
        if before < key:
            break
        at -= 1
    for k in range(n, at, -1):
        d.hard_touch[k, 0] = d.hard_touch[k - 1, 0]
        d.hard_touch[k, 1] = d.hard_touch[k - 1, 1]
    d.hard_touch[at, 0] = min(b1, b2)
    d.hard_touch[at, 1] = max(b1, b2)
    return n + 1


@helper
def note_tie(m, d, n, row):
    """note_touch for all pairs of bodies that a row of a tie moves; -> how many there are then."""
    for i in range(1, 4):
        for j in range(i):
            if d.htie_body[row, i] > 0:
                n = note_touch(m, d, n, d.htie_body[row, j], d.htie_body[row, i])
    return n


@helper
def place_of_touch(m, d, b1, b2):
    """Row of hard_touch of a pair of bodies, by bisection."""
    key = pair_key(m, b1, b2)
    lo = 0
    hi = d.hard_ntouch
    while lo + 1 < hi:
        mid = (lo + hi) >> 1
        if pair_key(m, d.hard_touch[mid, 0], d.hard_touch[mid, 1]) <= key:
            lo = mid
        else:
            hi = mid
    return lo


@helper
def is_as_planned(d, n):
    """Whether the n pairs that touch are those that the plan was made for."""
    if d.hard_nplan == 0 or n != d.hard_ntouch:
        return False
    for k in range(n):
        if d.hard_touch[k, 0] != d.hard_touchwas[k, 0] or d.hard_touch[k, 1] != d.hard_touchwas[k, 1]:
            return False
    return True


# ---------------------------------------------------------------- islands


@helper
def root_of(d, t):
    """First tree of the set of tree t; hard_mark is the forest of the sets."""
    while d.hard_mark[t] != t:
        d.hard_mark[t] = d.hard_mark[d.hard_mark[t]]
        t = d.hard_mark[t]
    return t


@helper
def unite(d, s, t):
    """Unite the sets of two trees."""
    a = root_of(d, s)
    b = root_of(d, t)
    if a < b:
        d.hard_mark[b] = a
    elif b < a:
        d.hard_mark[a] = b


@helper
def join_trees(m, d, i, j):
    """Unite the sets of the trees of two dofs."""
    unite(d, m.dof_treeid[i], m.dof_treeid[j])


@kernel()
def find_islands(m, d):
    """Number the islands by their first trees, and count their bodies.

    Reads: hard_ntouch, hard_touch
    Writes: hard_mark, hard_nisland, hard_bodyisland, hard_islandadr, hard_islandnum, hard_link
    """
    # union of the trees that touch
    for t in range(m.ntree):
        d.hard_mark[t] = t
    for k in range(d.hard_ntouch):
        unite(d, m.body_treeid[d.hard_touch[k, 0]], m.body_treeid[d.hard_touch[k, 1]])
    # tendons and their couplings join all trees that they move, whether they hold anything now or not
    for i in range(m.ntendon):
        for k in range(1, m.ten_J_rownnz[i]):
            join_trees(m, d, m.ten_J_colind[m.ten_J_rowadr[i]], m.ten_J_colind[m.ten_J_rowadr[i] + k])
    for i in range(m.neq):
        if m.eq_type[i] == EQ_TENDON and m.eq_obj2id[i] >= 0 and m.ten_J_rownnz[m.eq_obj1id[i]] > 0 and m.ten_J_rownnz[m.eq_obj2id[i]] > 0:
            join_trees(m, d, m.ten_J_colind[m.ten_J_rowadr[m.eq_obj1id[i]]], m.ten_J_colind[m.ten_J_rowadr[m.eq_obj2id[i]]])
    # numbers, by first trees
    n = 0
    for t in range(m.ntree):
        if d.hard_mark[t] == t:
            d.hard_link[t] = n
            d.hard_islandnum[n, 0] = 0
            n += 1
    d.hard_nisland = n
    # bodies
    for b in range(m.nbody):
        d.hard_bodyisland[b] = -1
        if is_moving(m, b):
            i = d.hard_link[root_of(d, m.body_treeid[b])]
            d.hard_bodyisland[b] = i
            d.hard_islandnum[i, 0] += 1
    at = 0
    for i in range(n):
        d.hard_islandadr[i, 0] = at
        at += d.hard_islandnum[i, 0]


# ---------------------------------------------------------------- the graph with its fill


@helper
def first_edge(d, b):
    """First edge of body b; heads of the lists are kept in hard_pairadr while planning."""
    return d.hard_pairadr[b]


@helper
def next_edge(d, e, b):
    """The next edge of body b after edge e."""
    return d.hard_link[EDGE * e + (2 if d.hard_link[EDGE * e] == b else 3)]


@helper
def other_end(d, e, b):
    """The body that edge e joins to b."""
    return d.hard_link[EDGE * e + (1 if d.hard_link[EDGE * e] == b else 0)]


@kernel("m d i i", ret="i")
def join(m, d, b, c):
    """Add an edge between two bodies that have none yet; -> 0 where there is no room.

    Reads: hard_npair, maxhB, maxht
    Writes: hard_npair, hard_link, hard_pairadr, hard_pairnum, need_nhB, need_nht
    """
    e = d.hard_npair
    if e >= d.maxhB:
        d.need_nhB = 2 * d.maxhB + 8
        return 0
    if EDGE * (e + 1) > d.maxht:
        d.need_nht = 2 * d.maxht + 64
        return 0
    d.hard_npair = e + 1
    d.hard_link[EDGE * e] = b
    d.hard_link[EDGE * e + 1] = c
    d.hard_link[EDGE * e + 2] = d.hard_pairadr[b]
    d.hard_link[EDGE * e + 3] = d.hard_pairadr[c]
    d.hard_pairadr[b] = e
    d.hard_pairadr[c] = e
    d.hard_pairnum[b] += 1
    d.hard_pairnum[c] += 1
    return 1


@kernel("m d i i i i", ret="i")
def join_all(m, d, c, b, but, stamp):
    """Join body c to those neighbours of body b, not eliminated yet, that it has no edge to; `but` is left out; -> 0 where there is no room.

    Reads: hard_link, hard_pairadr, hard_place
    Writes: hard_mark, what join writes
    """
    # who is joined already
    d.hard_mark[c] = stamp
    e = first_edge(d, c)
    while e >= 0:
        d.hard_mark[other_end(d, e, c)] = stamp
        e = next_edge(d, e, c)
    e = first_edge(d, b)
    while e >= 0:
        x = other_end(d, e, b)
        following = next_edge(d, e, b)
        if x != but and d.hard_place[x] < 0 and d.hard_mark[x] != stamp:
            if join(m, d, c, x) == 0:
                return 0
        e = following
    return 1


@kernel("m d i", ret="i")
def eliminate_body(m, d, b):
    """Join what the elimination of body b couples; -> 0 where there is no room. b has its place already.

    Reads: hard_link, hard_pairadr, hard_place, body_dofnum
    Writes: hard_pairnum, hard_childleft, hard_nstamp and what join_all writes
    """
    a = moving_parent(m, b)
    e = first_edge(d, b)
    while e >= 0:
        c = other_end(d, e, b)
        e = next_edge(d, e, b)
        if d.hard_place[c] >= 0:
            continue
        d.hard_pairnum[c] -= 1
        # without dofs nothing is divided by: its motion is the parent's
        if m.body_dofnum[b] > 0:
            d.hard_nstamp += 1
            if join_all(m, d, c, b, c, d.hard_nstamp) == 0:
                return 0
    if a > 0:
        d.hard_childleft[a] -= 1
        d.hard_nstamp += 1
        if join_all(m, d, a, b, a, d.hard_nstamp) == 0:
            return 0
    return 1


@kernel("m d", ret="i")
def order_bodies(m, d):
    """Give all moving bodies their places in the order of elimination, and find the fill; -> 0 where there is no room.

    Reads: hard_ntouch, hard_touch, hard_nisland, hard_islandadr, hard_islandnum, hard_bodyisland, hard_pairnum
    Writes: hard_order, hard_place, hard_npair, hard_childleft, hard_nstamp, hard_islandnum, hard_mark, hard_pairadr, hard_pairnum and what eliminate_body writes
    """
    for b in range(m.nbody):
        d.hard_place[b] = -1
        d.hard_pairadr[b] = -1
        d.hard_pairnum[b] = 0
        d.hard_childleft[b] = 0
        d.hard_mark[b] = -1
    d.hard_npair = 0
    d.hard_nstamp = 0
    for b in range(1, m.nbody):
        if is_moving(m, b) and moving_parent(m, b) > 0:
            d.hard_childleft[moving_parent(m, b)] += 1
    for k in range(d.hard_ntouch):
        if join(m, d, d.hard_touch[k, 0], d.hard_touch[k, 1]) == 0:
            return 0
    # bodies of each island, the last ones first, as children come after their parents
    for i in range(d.hard_nisland):
        d.hard_islandnum[i, 0] = 0
    for b in range(m.nbody - 1, 0, -1):
        i = d.hard_bodyisland[b]
        if i >= 0:
            d.hard_order[d.hard_islandadr[i, 0] + d.hard_islandnum[i, 0]] = b
            d.hard_islandnum[i, 0] += 1
    # least degree among those that are ready
    for i in range(d.hard_nisland):
        start = d.hard_islandadr[i, 0]
        end = start + d.hard_islandnum[i, 0]
        for place in range(start, end):
            best = -1
            for k in range(place, end):
                b = d.hard_order[k]
                if d.hard_childleft[b] == 0 and (best < 0 or d.hard_pairnum[b] < d.hard_pairnum[d.hard_order[best]]):
                    best = k
            # it moves up; the others stay in their order
            b = d.hard_order[best]
            for k in range(best, place, -1):
                d.hard_order[k] = d.hard_order[k - 1]
            d.hard_order[place] = b
            d.hard_place[b] = place
            if eliminate_body(m, d, b) == 0:
                return 0
    return 1


# ---------------------------------------------------------------- the plan


@kernel()
def number_pairs(m, d):
    """Number the pairs by the place of the earlier body, then by that of the later one.

    Reads: hard_npair, hard_link, hard_place, hard_order, hard_nisland, hard_islandadr, hard_islandnum
    Writes: hard_pair, hard_pairadr, hard_pairnum
    """
    for b in range(m.nbody):
        d.hard_pairnum[b] = 0
    for e in range(d.hard_npair):
        b = d.hard_link[EDGE * e]
        c = d.hard_link[EDGE * e + 1]
        d.hard_pairnum[b if d.hard_place[b] < d.hard_place[c] else c] += 1
    # prefix sums over the order of elimination
    at = 0
    for i in range(d.hard_nisland):
        for place in range(d.hard_islandadr[i, 0], d.hard_islandadr[i, 0] + d.hard_islandnum[i, 0]):
            b = d.hard_order[place]
            d.hard_pairadr[b] = at
            at += d.hard_pairnum[b]
            d.hard_pairnum[b] = 0
    for b in range(m.nbody):
        if d.hard_place[b] < 0:
            d.hard_pairadr[b] = 0
    # insertion sort by the later body's place: the lists are short
    for e in range(d.hard_npair):
        b = d.hard_link[EDGE * e]
        c = d.hard_link[EDGE * e + 1]
        if d.hard_place[c] < d.hard_place[b]:
            b = d.hard_link[EDGE * e + 1]
            c = d.hard_link[EDGE * e]
        start = d.hard_pairadr[b]
        k = start + d.hard_pairnum[b]
        while k > start and d.hard_place[d.hard_pair[k - 1, 1]] > d.hard_place[c]:
            d.hard_pair[k, 1] = d.hard_pair[k - 1, 1]
            k -= 1
        d.hard_pair[k, 1] = c
        d.hard_pairnum[b] += 1
    for b in range(1, m.nbody):
        for k in range(d.hard_pairadr[b], d.hard_pairadr[b] + d.hard_pairnum[b]):
            d.hard_pair[k, 0] = b


@helper
def pair_of(d, b, c):
    """Row of hard_pair of two bodies that have one."""
    if d.hard_place[b] > d.hard_place[c]:
        return pair_from(d, c, b)
    return pair_from(d, b, c)


@helper
def pair_from(d, b, c):
    """The same where b is eliminated first: bisection over places."""
    place = d.hard_place[c]
    lo = d.hard_pairadr[b]
    hi = lo + d.hard_pairnum[b]
    while lo + 1 < hi:
        mid = (lo + hi) >> 1
        if d.hard_place[d.hard_pair[mid, 1]] <= place:
            lo = mid
        else:
            hi = mid
    return lo


@kernel("m d", ret="i")
def set_targets(m, d):
    """Which pairs the elimination of each body changes, and which one its own pairs join; -> 0 where there is no room.

    Reads: hard_pair, hard_pairadr, hard_pairnum, hard_place, hard_ntouch, hard_touch, maxht, body_dofnum
    Writes: hard_pairchanged, hard_changedadr, hard_pairnext, hard_pairof, need_nht
    """
    at = 0
    for b in range(1, m.nbody):
        d.hard_changedadr[b] = at
        n = d.hard_pairnum[b]
        adr = d.hard_pairadr[b]
        if m.body_dofnum[b] > 0:
            if at + n * (n - 1) // 2 > d.maxht:
                d.need_nht = 2 * d.maxht + n * n
                return 0
            for y in range(1, n):
                for x in range(y):
                    d.hard_pairchanged[at] = pair_from(d, d.hard_pair[adr + x, 1], d.hard_pair[adr + y, 1])
                    at += 1
        a = moving_parent(m, b) if is_moving(m, b) else 0
        for k in range(adr, adr + n):
            c = d.hard_pair[k, 1]
            if a == 0:
                d.hard_pairnext[k] = -2
            elif c == a:
                d.hard_pairnext[k] = -1
            else:
                d.hard_pairnext[k] = pair_of(d, a, c)
    for k in range(d.hard_ntouch):
        d.hard_pairof[k] = pair_of(d, d.hard_touch[k, 0], d.hard_touch[k, 1])
    return 1


@kernel()
def plan(m, d):
    """Find the touching pairs, plan the elimination where they are others than before, and sort the rows by islands.

    Sets need_nhB and need_nht where the plan does not fit.
    Reads: hard_nrow, hrow_body, hard_ntie, htie_body, hard_touchwas, hard_pairof, maxhB, maxht
    Writes: hard_ntouch, hard_touch, hard_touchwas, hard_nplan, hrow_pair, need_nhB, need_nht, and what find_islands, order_bodies, number_pairs, set_targets and
        sort_rows write
    """
    touches = d.hard_nrow + m.njnt + TIED * d.hard_ntie + 1
    if touches > d.maxhB:
        d.need_nhB = touches
    if d.maxht < m.nbody + EDGE * d.hard_nrow:
        d.need_nht = m.nbody + EDGE * d.hard_nrow
    if d.need_nhB > 0 or d.need_nht > 0:
        return
    n = 0
    for c in range(d.hard_nrow):
        if d.hrow_body[c, 0] > 0 and d.hrow_body[c, 1] > 0:
            n = note_touch(m, d, n, d.hrow_body[c, 0], d.hrow_body[c, 1])
    for row in range(d.hard_ntie):
        n = note_tie(m, d, n, row)
    # limits of ball joints act on both of their bodies
    for j in range(m.njnt):
        b = m.jnt_bodyid[j]
        if is_ball(m, j) and m.jnt_limited[j] and moving_parent(m, b) > 0:
            n = note_touch(m, d, n, b, m.body_parentid[b])
    if not is_as_planned(d, n):
        d.hard_nplan = 0   # until it is complete
        d.hard_ntouch = n
        find_islands(m, d)
        if order_bodies(m, d) == 0:
            return
        number_pairs(m, d)
        if set_targets(m, d) == 0:
            return
        for k in range(n):
            d.hard_touchwas[k, 0] = d.hard_touch[k, 0]
            d.hard_touchwas[k, 1] = d.hard_touch[k, 1]
        d.hard_nplan = 1
    for c in range(d.hard_nrow):
        d.hrow_pair[c] = -1
        if d.hrow_body[c, 0] > 0 and d.hrow_body[c, 1] > 0:
            d.hrow_pair[c] = d.hard_pairof[place_of_touch(m, d, d.hrow_body[c, 0], d.hrow_body[c, 1])]
    sort_rows(m, d)


@helper
def island_of_row(d, c):
    """Island that row c belongs to."""
    b = d.hrow_body[c, 0]
    if b == 0:
        b = d.hrow_body[c, 1]
    return d.hard_bodyisland[b]


@kernel()
def sort_rows(m, d):
    """Write the rows of each island one after the other to hrow_at (counting sort).

    Reads: hard_nrow, hard_nisland, hrow_body, hard_bodyisland
    Writes: hrow_at, hard_islandadr, hard_islandnum
    """
    for i in range(d.hard_nisland):
        d.hard_islandnum[i, 1] = 0
    for c in range(d.hard_nrow):
        d.hard_islandnum[island_of_row(d, c), 1] += 1
    at = 0
    for i in range(d.hard_nisland):
        d.hard_islandadr[i, 1] = at
        at += d.hard_islandnum[i, 1]
        d.hard_islandnum[i, 1] = 0
    for c in range(d.hard_nrow):
        i = island_of_row(d, c)
        d.hrow_at[d.hard_islandadr[i, 1] + d.hard_islandnum[i, 1]] = c
        d.hard_islandnum[i, 1] += 1
