"""A compile leaves nothing behind that only Python's collector could free: with very many elements that would hold the interpreter's lock too long."""
import gc

import physics

GEOMS = 400
TREE = 13       # objects of the text's own tree for each of them, which whoever has read it may keep


def text(last: str) -> str:
    bodies = "".join(f'<body pos="{i} 0 1"><joint name="j{i}" axis="0 0 1"/><geom name="g{i}" size=".1" pos="0 0 {i % 7}"/><site/></body>' for i in range(GEOMS))
    return f'<mujoco><worldbody>{bodies}</worldbody><sensor><jointpos joint="{last}"/></sensor></mujoco>'


def left_by(make) -> int:
    """Number of objects that the collector finds after make()."""
    gc.collect()
    gc.disable()
    try:
        make()
        return gc.collect()
    finally:
        gc.enable()


def refused() -> None:
    try:
        physics.load_string(text("nobody"))
    except physics.ModelError:
        return
    raise AssertionError("not refused")


def test_no_item_waits_for_the_collector():
    physics.load_string(text("j0"))
    assert left_by(lambda: physics.load_string(text("j0"))) < TREE * GEOMS
    assert left_by(refused) < TREE * GEOMS
