"""The judge of contacts that differ in whole models."""
import mujoco
import numpy as np
import pytest

import physics
from tests.oracle import nearer
from tests.oracle.corpus import entry
from tests.oracle.states import states


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def at(name: str, number: int):
    """(official, data, ours) of a corpus model at a state of the report."""
    found = entry(name)
    m, official = physics.load(found.path), mujoco.MjModel.from_xml_path(str(found.path))
    d, data = physics.Data(m), mujoco.MjData(official)
    state = states(official, found, number + 1)[number]
    for target in (d, data):
        state.into(target)
    physics.fwd_position(m, d)
    mujoco.mj_fwdPosition(official, data)
    return official, data, d


@pytest.mark.parametrize("name, number", [("balloons", 1), ("wonik_allegro", 2), ("shadow_hand", 1)])
def test_ours_are_true_where_curved_contacts_differ(name, number):
    rows = nearer.differences(*at(name, number), 1e-8)
    assert rows and all(row["ours"] < 1e-9 < row["official"] or row["official"] <= 1e-9 for row in rows), rows
    assert all("ours nearer" in nearer.line(row) for row in rows if row["official"] > 1e-9)


def test_contacts_that_are_wrong_or_missing_are_listed():
    official, data, d = at("wonik_allegro", 2)
    assert not [row for row in nearer.differences(official, data, d, 1e-2)]
    d.contact_dist[0] -= 0.1
    rows = nearer.differences(official, data, d, 1e-2)
    assert len(rows) == 1 and rows[0]["ours"] == pytest.approx(0.1, abs=1e-3) and "official nearer" in nearer.line(rows[0])
    d.contact_dist[0] += 0.1
    d.ncon = 1
    rows = nearer.differences(official, data, d, 1e-2)
    assert [row["ncon"] for row in rows] == [(0, 1)] and rows[0]["ours"] > 1e-5 and np.isinf(rows[0]["dist"])
