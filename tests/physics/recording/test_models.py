"""The store of a run's Models: what it holds of one that is kept on the disk."""
import gc
import sys

from physics import load_string
from physics.model import lwb
from physics.recording.models import ModelStore

MODEL = '<mujoco><worldbody><body><freejoint/><geom size=".1" rgba="{:g} 0 0 1"/></body></worldbody></mujoco>'


def test_a_model_that_is_gone_costs_little_and_comes_back(tmp_path):
    """It held a path for each part, about ten kilobytes a Model, and a finished future: a window that is worked with for days compiles thousands."""
    store = ModelStore(tmp_path)
    store.add(load_string(MODEL.format(0)))
    for k in range(1, 31):
        store.add(load_string(MODEL.format(k / 30)))
    store.wait()
    gc.collect()
    assert store._waiting == {} and store.numbers() == tuple(range(31))
    assert sum(sys.getsizeof(sums) for sums in store._parts.values()) < 31 * 1000
    assert all(store.living(k) is None for k in range(30)) and len(store._living) <= 31
    assert [store.load(k).geom_rgba[0, 0] for k in (0, 15, 30)] == [0.0, 0.5, 1.0]
    content = b"".join(part.read_bytes() for part in store.parts(15))
    (tmp_path / "model.lwb").write_bytes(content)
    assert lwb.load(tmp_path / "model.lwb").geom_rgba[0, 0] == 0.5


def test_one_that_cannot_be_written_is_not_among_those_that_are_kept(tmp_path):
    (tmp_path / "file").write_text("no folder")
    store = ModelStore(tmp_path / "file" / "models")
    model = load_string(MODEL.format(1))
    number = store.add(model)
    store.wait()
    assert store.numbers() == () and "models" in store.problem and store.living(number) is model
