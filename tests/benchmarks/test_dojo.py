"""The commands for the paper's tables and figures: what they compute is right where it is known, and they say what they lack."""
import pytest

from benchmarks.dojo import atlas, fig4, fig5, tables


@pytest.mark.parametrize("impulse", fig4.KEPT[2, 1e-6])
def test_their_method_gives_what_they_keep(impulse):
    displacement, slope = fig4.KEPT[2, 1e-6][impulse]
    again = fig4.repository(2, impulse, 1e-6)
    assert again.converged
    assert again.x3[1, 2] - 0.25 == pytest.approx(displacement, rel=1e-8) and again.by_impulse[1, 2, 1, 2] == pytest.approx(slope, rel=1e-8)


@pytest.mark.parametrize("impulse", [0.001, 0.1, 0.2])
def test_ours_is_the_closed_form(impulse):
    place, slope, points = fig4.ours(2, impulse, 1e-4)
    exact = fig4.closed_form(impulse, 1e-4, points)
    assert place == pytest.approx(exact, rel=1e-8)
    nearby = [fig4.closed_form(impulse + e, 1e-4, points) for e in (1e-6, -1e-6)]
    assert slope == pytest.approx((nearby[0] - nearby[1]) / 2e-6, rel=1e-6)


def test_a_box_keeps_its_line(monkeypatch):
    monkeypatch.setattr(fig5, "SECONDS", 0.5)
    (along, aside, yaw), fared = fig5.ours(1e-8)
    assert along > 1.5 and abs(aside) < 1e-8 and abs(yaw) < 1e-7
    assert fared.failed == 0


def test_atlas_is_named_where_it_is_absent(monkeypatch, tmp_path):
    monkeypatch.delenv(atlas.VARIABLE, raising=False)
    assert atlas.atlas_file(str(tmp_path / "none.urdf")) is None or "corpus" in str(atlas.atlas_file(None))
    assert "atlas_simple.urdf" in atlas.absent() and atlas.VARIABLE in atlas.absent()


def test_columns_are_as_wide_as_their_longest_entry(capsys):
    tables.print_table("t", [("a", None, 1.23456789, "long entry")])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "t" and len(lines[1].rstrip()) == len(lines[2].rstrip()) and "1.23457" in lines[2] and " - " in lines[2]
