"""Texts of many Models, kept small."""
import pytest

from app.recordings.kept_texts import KeptTexts
from tests.app.heap import in_use, is_told


def test_texts_come_back_as_they_were_and_the_oldest_go():
    kept = KeptTexts(3)
    for number in range(5):
        kept.keep(number, {"/x/a.xml": f"<mujoco/> {number} \u00e4 \udc80\r\n", "/x/b.xml": ""})
    then = kept.copy()
    kept.keep(7, {})
    assert list(then) == [2, 3, 4] and list(kept) == [3, 4, 7] and len(kept) == 3
    assert then[4] == {"/x/a.xml": "<mujoco/> 4 \u00e4 \udc80\r\n", "/x/b.xml": ""} and kept[7] == {}
    assert kept.get(2, "none") == "none"
    kept.keep(4, {"/x/a.xml": "another"})
    assert kept[4] == {"/x/a.xml": "another"}
    everything = KeptTexts()
    for number in range(500):
        everything.keep(number, {})
    assert len(everything) == 500


@pytest.mark.skipif(not is_told(), reason="the C library does not tell what is in use")
def test_texts_of_hundreds_of_models_take_little_memory():
    kept, before = KeptTexts(), in_use()
    for number in range(200):
        kept.keep(number, {"/x/a.xml": "".join(f"<geom name='g{number + k}' size='.1 .2 {k}'/>\n" for k in range(2000))})
    assert in_use() - before < 4e6      # 17 MB as they are
    assert kept[199]["/x/a.xml"].startswith("<geom name='g199'")
