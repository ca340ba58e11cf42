"""Which element's tag is at a place of a text."""
import pytest

from editor.source.place_link import element_start

TEXT = """<mujoco>
  <!-- <geom/> -->
  <worldbody>
    <body name="a"
          pos="0 0 1"> <geom size=".1"/><site name="x>y"/>
    </body>

    text
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize(("line", "column", "start"), [
    (4, 5, (4, 5)), (4, 1, (4, 5)), (5, 14, (4, 5)), (5, 25, (5, 24)), (5, 41, (5, 41)), (5, 59, (5, 41)), (6, 7, (4, 5)), (6, 12, (4, 5)), (9, 3, (3, 3)), (10, 3, (1, 1)),
    (2, 10, None), (7, 1, None), (8, 6, None), (99, 1, None)])
def test_the_element_of_a_tag(line, column, start):
    for end in ("\n", "\r\n", "\r"):
        assert element_start(TEXT.replace("\n", end), line, column) == start
