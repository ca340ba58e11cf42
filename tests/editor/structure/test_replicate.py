"""Elements put into a replicate with count, offset, turn and separator, and a replicate changed."""
import numpy as np
import pytest

from editor.structure.draft import Refusal
from editor.structure.replicate import Repetition, repetition_of, replicate
from editor.structure.trial import summary, trial
from tests.editor.structure.versions import after, agrees_officially, compiled, of, one, world

TEXT = """<mujoco>
  <worldbody>
    <body name="post" pos="1 0 0.5">
      <joint name="j"/>
      <geom name="g" size=".1"/>
    </body>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <replicate count="2" offset=" 0.5  0 0" sep="-"><!-- pair -->
      <site name="s"/>
    </replicate>
  </worldbody>
</mujoco>
"""


def test_copies_on_a_circle(tmp_path):
    version = of(TEXT)
    change = replicate(version, [one(version, "body")], Repetition(6, (0, 0, 0), (0, 0, 60), "_"))
    now = after(version, change)
    m, places = compiled(now), world(compiled(now))
    assert m.nbody == 7 and '<replicate count="6" euler="0 0 60" sep="_">' in now.texts[now.main]
    for k in range(6):
        angle = np.radians(60 * k)
        assert np.allclose(places["body", f"post_{k}"][:3], (np.cos(angle), np.sin(angle), 0.5))
    found = trial(version, change)
    assert summary(found.model, found.made) == "6 bodies, 6 joints (6 dofs), 6 geoms"
    agrees_officially(now, pytest.importorskip("mujoco"), tmp_path)


def test_a_replicate_is_changed_in_place():
    version = of(TEXT)
    number = one(version, "replicate")
    assert repetition_of(version, number) == Repetition(2, (0.5, 0, 0), (0, 0, 0), "-") and repetition_of(version, one(version, "site")) is None
    assert not replicate(version, [number], repetition_of(version, number)).edit.patches
    now = after(version, replicate(version, [number], Repetition(5, (0.5, 0, 0), (0, 0, 10), "")))
    assert '<replicate count="5" offset=" 0.5  0 0" euler="0 0 10"><!-- pair -->' in now.texts[now.main] and compiled(now).nsite == 5
    inside = after(version, replicate(version, [number], Repetition(4, (0, 1, 0)), change_old=False))
    assert compiled(inside).nsite == 8


def test_what_cannot_be_replicated_is_refused():
    version = of(TEXT)
    for numbers, wanted, words in (([one(version, "joint")], Repetition(), "cannot stand"), ([], Repetition(), "Nothing"), ([one(version, "body")], Repetition(0), "count"),
                                   ([one(version, "body")], Repetition(2, (float("inf"), 0, 0)), "finite"), ([one(version, "geom", "g"), one(version, "geom", "floor")], Repetition(), "same parent")):
        with pytest.raises(Refusal, match=words):
            replicate(version, numbers, wanted)
