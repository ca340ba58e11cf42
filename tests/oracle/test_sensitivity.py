"""The tool that tells rounding from mistakes can do both."""
import pytest

import physics
from tests.oracle import engines, sensitivity
from tests.oracle.allowed import exceptions
from tests.oracle.corpus import entry
from tests.oracle.report import opened


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def found(name, state_count):
    chosen = entry(name, exact=name == "legacy_loop_expanded")   # whose exceptions are listed
    return sensitivity.findings(chosen, *opened(chosen), state_count)


@pytest.mark.parametrize("name", ["legacy_loop_expanded", "dmc_quadruped"])
def test_rounding_is_called_conditioning(name):
    rows = found(name, 2)
    assert rows and all(row.verdict == "conditioning" for row in rows), "\n".join(map(str, rows))
    assert {(name, row.stage) for row in rows} <= set(exceptions())


def test_a_mistake_is_called_unexplained(monkeypatch):
    original = engines.OURS.forward

    def wrong(model, data):
        original(model, data)
        data.qfrc_bias[...] *= 1.0 + 1e-8

    monkeypatch.setattr(engines.Ours, "forward", staticmethod(wrong))
    (row,) = found("dmc_cheetah", 2)
    assert (row.stage, row.field, row.verdict) == ("bias", "qfrc_bias", "UNEXPLAINED") and row.ratio > 1e4


def test_a_lost_contact_is_called_unexplained(monkeypatch):
    original = engines.Ours.contact

    monkeypatch.setattr(engines.Ours, "contact", staticmethod(lambda data, name: original(data, name)[:0]))
    rows = [row for row in found("mug", 2) if row.stage == "collision"]
    assert rows and all(row.verdict == "UNEXPLAINED" and "does not match" in row.where for row in rows)
