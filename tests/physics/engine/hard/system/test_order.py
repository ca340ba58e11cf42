"""The elimination plan: children before parents, all fill among the pairs, and islands; against elimination of a dense pattern."""
import numpy as np
import pytest

import physics
from physics.engine.hard.system import order
from physics.model.data import Data

ROOM = ("maxhb", "maxhv", "maxhq", "maxhc", "maxhB", "maxht")


def forest(seed, trees=6, each=5):
    """Random trees of bodies with one hinge each (a free joint at the roots), some bodies without joints, and one that stands still."""
    r = np.random.default_rng(seed)

    def body(tree, k, children):
        joint = "<freejoint/>" if k == 0 else ("" if r.random() < .2 else '<joint axis="0 1 0"/>')
        inside = "".join(body(tree, c, children) for c in children.get(k, ()))
        return f'<body name="b{tree}_{k}" pos="{k} {tree} 0">{joint}<geom size=".1" contype="0" conaffinity="0"/>{inside}</body>'
    text = '<body name="still"><geom size=".1"/></body>'
    for t in range(trees):
        children = {}
        for k in range(1, each):
            children.setdefault(int(r.integers(0, k)), []).append(k)
        text += body(t, 0, children)
    return physics.load_string(f"<mujoco><worldbody>{text}</worldbody></mujoco>")


def planned(m, touching):
    """Data with a plan for these pairs of bodies, each with two rows, and one row with the world for each body of the first pair."""
    d = Data(m)
    for size in ROOM:
        d._grow(size, 3000)
    rows = [pair for pair in touching for _ in range(2)]
    rows += [(0, touching[0][1])] if touching else []
    d.hard_nrow = len(rows)
    for c, pair in enumerate(rows):
        d.hrow_body[c] = pair
    order.plan.plain(m, d)
    return d


def random_touches(m, seed, n):
    r = np.random.default_rng(seed)
    moving = np.flatnonzero(m.body_treeid >= 0)
    found = []
    while len(found) < n:
        b, c = (int(x) for x in r.choice(moving, 2, replace=False))
        if (b, c) not in found and (c, b) not in found:
            found.append((b, c))
    return found


def pattern(m, d, touching):
    """All pairs that get a block when the bodies are eliminated in the plan's order."""
    moving = m.body_treeid >= 0
    pairs = {frozenset(p) for p in touching}
    left = list(d.hard_order[:moving.sum()])
    while left:
        b = left.pop(0)
        near = [c for c in left if frozenset((b, c)) in pairs]
        parent = m.body_parentid[b]
        if m.body_dofnum[b]:
            pairs |= {frozenset((c, e)) for c in near for e in near if c != e}
        if moving[parent]:
            pairs |= {frozenset((parent, c)) for c in near if c != parent}
    return pairs


CASES = pytest.mark.parametrize("seed,touches", [(0, 0), (1, 1), (2, 6), (3, 14), (4, 30)])


@CASES
def test_children_go_before_their_parents_and_pairs_hold_all_fill(seed, touches):
    m = forest(seed)
    touching = random_touches(m, seed, touches)
    d = planned(m, touching)
    moving = np.flatnonzero(m.body_treeid >= 0)
    places = d.hard_place[:m.nbody]
    assert sorted(d.hard_order[:len(moving)]) == list(moving) and (places[m.body_treeid < 0] == -1).all()
    for b in moving:
        if m.body_treeid[m.body_parentid[b]] >= 0:
            assert places[b] < places[m.body_parentid[b]]
    found = {frozenset(p) for p in d.hard_pair[:d.hard_npair].tolist()}
    assert found == pattern(m, d, touching) and len(found) == d.hard_npair
    for p, (early, late) in enumerate(d.hard_pair[:d.hard_npair]):
        assert places[early] < places[late] and d.hard_pairadr[early] <= p < d.hard_pairadr[early] + d.hard_pairnum[early]


@CASES
def test_targets_and_what_pairs_join(seed, touches):
    m = forest(seed)
    d = planned(m, random_touches(m, seed, touches))
    pair = {tuple(p): k for k, p in enumerate(d.hard_pair[:d.hard_npair].tolist())}
    for b in np.flatnonzero(m.body_treeid >= 0):
        adr, n = d.hard_pairadr[b], d.hard_pairnum[b]
        late = [int(d.hard_pair[k, 1]) for k in range(adr, adr + n)]
        assert late == sorted(late, key=lambda c: d.hard_place[c])
        parent = int(m.body_parentid[b])
        for y in range(n):
            for x in range(y if m.body_dofnum[b] else 0):
                assert d.hard_pairchanged[d.hard_changedadr[b] + y * (y - 1) // 2 + x] == pair[late[x], late[y]]
            joined = d.hard_pairnext[adr + y]
            if m.body_treeid[parent] < 0:
                assert joined == -2
            elif late[y] == parent:
                assert joined == -1
            else:
                assert set(d.hard_pair[joined]) == {parent, late[y]}


def test_islands_are_trees_that_touch_and_have_their_rows_together():
    m = forest(1)
    root = {int(t): int(b) for b, t in enumerate(m.body_treeid) if t >= 0}
    touching = [(root[0], root[2]), (root[2], root[5]), (root[1], root[3])]
    d = planned(m, touching)
    island = {t: d.hard_bodyisland[b] for t, b in root.items()}
    assert d.hard_nisland == 3 and island[0] == island[2] == island[5] and island[1] == island[3] and len(set(island.values())) == 3
    assert (d.hard_bodyisland[:m.nbody][m.body_treeid < 0] == -1).all() and (m.body_treeid < 0).sum() == 2
    seen = []
    for i in range(3):
        bodies = d.hard_order[d.hard_islandadr[i, 0]:d.hard_islandadr[i, 0] + d.hard_islandnum[i, 0]]
        assert {int(d.hard_bodyisland[b]) for b in bodies} == {i} and len(bodies) == (d.hard_bodyisland[:m.nbody] == i).sum()
        rows = d.hrow_at[d.hard_islandadr[i, 1]:d.hard_islandadr[i, 1] + d.hard_islandnum[i, 1]]
        assert all(d.hard_bodyisland[max(d.hrow_body[c])] == i for c in rows)
        seen += list(rows)
    assert sorted(seen) == list(range(d.hard_nrow))


def test_rows_name_the_pair_of_their_bodies():
    m = forest(3)
    touching = random_touches(m, 3, 14)
    d = planned(m, touching)
    for c in range(d.hard_nrow):
        bodies = set(d.hrow_body[c])
        if 0 in bodies:
            assert d.hrow_pair[c] == -1
        else:
            assert set(d.hard_pair[d.hrow_pair[c]]) == bodies


def test_least_degree_makes_a_line_of_bodies_fill_nothing():
    """In index order the middle of the line would join its ends."""
    m = forest(0, trees=9, each=1)
    bodies = [int(b) for b in np.flatnonzero(m.body_treeid >= 0)]
    shuffled = [bodies[k] for k in (4, 0, 7, 2, 8, 5, 1, 6, 3)]
    d = planned(m, list(zip(shuffled, shuffled[1:])))
    assert d.hard_npair == 8 and d.hard_nisland == 1


def test_a_plan_is_kept_while_the_same_bodies_touch(monkeypatch):
    m = forest(2)
    touching = random_touches(m, 2, 6)
    d = planned(m, touching)
    before = d.hard_order[:m.nbody].copy(), d.hard_pair[:d.hard_npair].copy()
    called = []
    monkeypatch.setattr(order, "order_bodies", lambda m, d: called.append(1) or 1)
    d.hrow_body[:2] = [touching[0][::-1]] * 2   # the other way round
    order.plan.plain(m, d)
    assert not called and (d.hard_order[:m.nbody] == before[0]).all() and (d.hard_pair[:d.hard_npair] == before[1]).all()
    d.hard_nrow -= 3   # the last pair no longer touches
    order.plan.plain(m, d)
    assert called


def test_lack_of_room_is_told():
    m = forest(4)
    touching = random_touches(m, 4, 30)
    whole = planned(m, touching)
    d = Data(m)
    for size in ("maxhb", "maxhv", "maxhq", "maxhc"):
        d._grow(size, 100)
    d.hard_nrow = len(touching)
    d.hrow_body[:d.hard_nrow] = touching
    tries = 0
    order.plan.plain(m, d)
    while d.make_room():
        order.plan.plain(m, d)
        tries += 1
    assert tries >= 1 and d.hard_npair == whole.hard_npair and d.hard_npair > len(touching)
