"""Demonstrations as data sets: states and actions equal in number, what the actions are, and what other programs say of the files."""
import builtins
import json
from dataclasses import replace

import h5py
import numpy as np
import pyarrow.parquet as pq
import pytest

from app.demonstrations.export.export import export
from app.demonstrations.export.plan import ExportError, ExportPlan
from app.demonstrations.sources import opened
from app.demonstrations.states import states_of
from physics.engine.linalg import quat
from physics.runtime import commands as c
from tests.app.demonstrations.export.data_sets import check_robomimic, doctor, has_doctor
from tests.app.demonstrations.made import TEXT, Made

CTRL = ExportPlan(rate=20.0)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Four episodes: two successes, a failure, one too short for a control period."""
    folder = tmp_path_factory.mktemp("export")
    made = Made(folder, 3)
    made.episode(230)
    made.episode(215, "failure")
    made.episode(221, task="push it far")
    made.episode(4)
    return made.save(folder / "a.h5")


def test_robomimic_has_its_schema_and_the_recorded_numbers(path, tmp_path):
    said = []
    done = export([path], tmp_path / "a.hdf5", "robomimic", CTRL, tell=said.append)
    assert done == {"episodes": 2, "frames": 23 + 22, "left_out": 1} and "episode 4: left out" in said[0]
    assert check_robomimic(tmp_path / "a.hdf5") == {"demo_0": 23, "demo_1": 22}
    with h5py.File(tmp_path / "a.hdf5") as file, opened(path) as of:
        states = states_of(of, of.episode(1))
        demo = file["data/demo_0"]
        for k in (0, 1, 10, 22):
            piece, row = states.at(states.episode.first + 10 * k)
            assert np.array_equal(demo["states"][k], np.concatenate([piece.rows[row, :1], piece.columns("qpos")[row], piece.columns("qvel")[row]]))
            assert np.array_equal(demo["actions"][k], piece.columns("ctrl")[row])
        piece, row = states.at(states.episode.first + 230)
        assert np.array_equal(demo["next_obs/qpos"][22], piece.columns("qpos")[row])
        assert demo["rewards"][:].tolist() == 22 * [0.0] + [1.0] and demo.attrs["task"] == "push the cube" and file["data/demo_1"].attrs["task"] == "push it far"
        assert set(demo["action_modes"][:].tolist()) == {1}


def test_other_episodes_are_exported_where_they_are_wanted(path, tmp_path):
    done = export([path], tmp_path / "a.hdf5", "robomimic", ExportPlan(rate=20.0, which="marked"))
    assert done["episodes"] == 3
    with h5py.File(tmp_path / "a.hdf5") as file:
        assert [file[f"data/demo_{k}"].attrs["outcome"] for k in range(3)] == ["success", "failure", "success"] and not file["data/demo_1/rewards"][:].any()
        assert [one.decode() for one in file["mask/success"][:]] == ["demo_0", "demo_2"]


def test_only_chosen_episodes_are_exported_and_progress_is_told(path, tmp_path):
    shares = []
    done = export([path], tmp_path / "a.hdf5", "robomimic", ExportPlan(rate=20.0, which="marked"), chosen={path: (2, 3)}, progress=shares.append)
    assert done == {"episodes": 2, "frames": 21 + 22, "left_out": 0} and shares == sorted(shares) and shares[-1] == 1.0 and len(shares) == 22 + 23
    with h5py.File(tmp_path / "a.hdf5") as file:
        assert [file[f"data/demo_{k}"].attrs["episode"] for k in range(2)] == [2, 3]
    with pytest.raises(ExportError, match="no episode"):
        export([path], tmp_path / "b.hdf5", "robomimic", CTRL, chosen={path: (2,)})


@pytest.mark.parametrize("form", ["lerobot", "lerobot2"])
def test_lerobot_has_a_row_for_each_state_and_action(path, tmp_path, form):
    done = export([path], tmp_path / "set", form, CTRL)
    info = json.loads((tmp_path / "set/meta/info.json").read_text())
    assert done["frames"] == info["total_frames"] == 45 and info["codebase_version"] == {"lerobot": "v3.0", "lerobot2": "v2.1"}[form] and info["fps"] == 20
    assert info["features"]["action"]["names"] == ["shoulder", "elbow"]
    names = info["features"]["observation.state"]["names"]
    assert names[:3] == ["shoulder", "elbow", "cube[0]"] and names[9:12] == ["shoulder.vel", "elbow.vel", "cube[0].vel"] and len(names) == 17
    files = sorted((tmp_path / "set/data").rglob("*.parquet"))
    assert len(files) == {"lerobot": 1, "lerobot2": 2}[form]
    rows = [row for file in files for row in pq.read_table(file).to_pylist()]
    assert [row["index"] for row in rows] == list(range(45)) and [row["frame_index"] for row in rows] == [*range(23), *range(22)]
    assert [row["task_index"] for row in rows] == 23 * [0] + 22 * [1] and all(len(row["action"]) == 2 for row in rows)
    with opened(path) as of:
        states = states_of(of, of.episode(3))
        piece, row = states.at(states.episode.first + 50)
        assert np.array_equal(np.float32(piece.columns("ctrl")[row]), np.float32(rows[23 + 5]["action"]))
        assert np.array_equal(np.float32(piece.columns("qpos")[row]), np.float32(rows[23 + 5]["observation.state"][:9]))
    if form == "lerobot":
        episodes = pq.read_table(tmp_path / "set/meta/episodes/chunk-000/file-000.parquet").to_pylist()
        assert [(one["dataset_from_index"], one["dataset_to_index"], one["length"], one["tasks"]) for one in episodes] == [(0, 23, 23, ["push the cube"]), (23, 45, 22, ["push it far"])]
        assert episodes[1]["stats/action/count"] == [22]
        tasks = pq.read_table(tmp_path / "set/meta/tasks.parquet")
        assert json.loads(tasks.schema.metadata[b"pandas"])["index_columns"] == ["task"]


def poses(path, number, step):
    """Of the site and of the held mocap body at steps 0, step, 2 step, ...: computed from the recorded states by another way."""
    import physics

    m, found, held = physics.load_string(TEXT), [], []
    d = physics.Data(m)
    with opened(path) as of:
        states = states_of(of, of.episode(number))
        for k in range(0, states.episode.steps + 1, step):
            piece, row = states.at(states.episode.first + k)
            d.qpos[:], d.qvel[:] = piece.columns("qpos")[row], 0
            physics.forward(m, d)
            found.append((d.site_xpos[0].copy(), d.site_xmat[0].reshape(3, 3).copy()))
            held.append((piece.columns("mocap_pos")[row].copy(), np.array(quat.to_mat(quat.unit4(tuple(piece.columns("mocap_quat")[row])))).reshape(3, 3)))
    return found, held


def turned(rotvec):
    """The matrix of a rotation vector, by Rodrigues' formula."""
    angle = np.linalg.norm(rotvec)
    x, y, z = rotvec / angle if angle else rotvec
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def actions_of(path, tmp_path, **more):
    export([path], tmp_path / f"{len(list(tmp_path.iterdir()))}.hdf5", "robomimic", ExportPlan(rate=20.0, **more))
    with h5py.File(tmp_path / f"{len(list(tmp_path.iterdir())) - 1}.hdf5") as file:
        return file["data/demo_0/actions"][:]


def test_poses_lead_from_state_to_state(path, tmp_path):
    site, held = poses(path, 1, 10)
    absolute = actions_of(path, tmp_path, actions="ee-abs", sites=("grip",), gripper=("elbow",))
    way = actions_of(path, tmp_path, actions="ee-delta", sites=("grip",))
    assert absolute.shape == (23, 7) and way.shape == (23, 6)
    for k in range(23):
        (before, from_), (pos, mat) = site[k], site[k + 1]
        np.testing.assert_allclose(absolute[k, :3], pos, atol=1e-9)
        np.testing.assert_allclose(turned(absolute[k, 3:6]), mat, atol=1e-7)
        np.testing.assert_allclose(before + way[k, :3], pos, atol=1e-9)
        np.testing.assert_allclose(turned(way[k, 3:]) @ from_, mat, atol=1e-7)
    mocap = actions_of(path, tmp_path, actions="ee-abs")
    for k in range(23):
        np.testing.assert_allclose(mocap[k, :3], held[k][0], atol=1e-9)
        np.testing.assert_allclose(turned(mocap[k, 3:6]), held[k][1], atol=1e-7)
    ways = actions_of(path, tmp_path, actions="ee-delta")
    np.testing.assert_allclose(ways[0], 0, atol=1e-12)
    np.testing.assert_allclose(held[0][0] + ways[:, :3].sum(axis=0), held[22][0], atol=1e-9)


def test_joints_are_where_the_period_leads(path, tmp_path):
    joints = actions_of(path, tmp_path, actions="joints")
    with opened(path) as of:
        states = states_of(of, of.episode(1))
        for k in range(23):
            piece, row = states.at(states.episode.first + 10 * (k + 1))
            assert np.array_equal(joints[k], piece.columns("qpos")[row][:2])


def test_rates_that_are_no_whole_number_of_steps_take_the_nearest_state(path, tmp_path):
    export([path], tmp_path / "a.hdf5", "robomimic", ExportPlan(rate=30.0, observe=("time",)))
    with h5py.File(tmp_path / "a.hdf5") as file:
        time = file["data/demo_0/obs/time"][:, 0] - file["data/demo_0/obs/time"][0, 0]
        assert len(time) == 34 and np.abs(time - np.arange(34) / 30).max() <= 0.0025 + 1e-9


def test_who_drove_is_told(tmp_path):
    made = Made(tmp_path, 5)
    made.say("driver", "policy")
    made.episode(100, "")
    made.say("driver", "person")
    made.move(100)
    made.say("success")
    path = made.save(tmp_path / "a.h5")
    export([path], tmp_path / "a.hdf5", "robomimic", CTRL)
    with h5py.File(tmp_path / "a.hdf5") as file:
        assert file["data/demo_0/action_modes"][:].tolist() == 10 * [0] + 10 * [1]
    export([path], tmp_path / "set", "lerobot", CTRL)
    assert pq.read_table(tmp_path / "set/data/chunk-000/file-000.parquet")["driver"].to_pylist() == 10 * [0] + 10 * [1]


def test_what_cannot_be_exported_is_said(path, tmp_path, monkeypatch):
    for plan, said in ((ExportPlan(rate=400.0), "more than the 200 steps"), (ExportPlan(observe=("qpso",)), "qpso"), (ExportPlan(observe=("contact_pos",)), "number of rows"),
                       (ExportPlan(actions="ee-abs", sites=("gripp",)), "no site 'gripp'")):
        with pytest.raises(ExportError, match=said):
            export([path], tmp_path / "a.hdf5", "robomimic", plan)
    assert not list(tmp_path.iterdir())
    with pytest.raises(ExportError, match="sides are even"):
        ExportPlan(cameras=("front",), size=(65, 64))
    other = Made(tmp_path, 6, TEXT.replace("<position name=\"elbow\" joint=\"elbow\" kp=\"10\"/>", "<position name=\"bend\" joint=\"elbow\" kp=\"10\"/>"))
    other.episode(100)
    with pytest.raises(ExportError, match="of one model"):
        export([path, other.save(tmp_path / "b.h5")], tmp_path / "set", "lerobot", CTRL)
    (tmp_path / "set").mkdir()
    (tmp_path / "set/something").touch()
    with pytest.raises(ExportError, match="there already"):
        export([path], tmp_path / "set", "lerobot", CTRL)
    load = builtins.__import__

    def without(name, *rest):
        if name.startswith("pyarrow"):
            raise ImportError("no pyarrow")
        return load(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ExportError, match=r'pip install "linkwork\[demo\]"'):
        export([path], tmp_path / "other", "lerobot", CTRL)


def test_pictures_are_drawn_afterwards_in_the_size_that_is_wanted(path, tmp_path):
    import av

    from app.film.offscreen_renderer import OffscreenRenderer
    from render.quality import QUALITIES

    renderer, plan = OffscreenRenderer(QUALITIES["lowest"]), ExportPlan(rate=5.0, cameras=("front", "wrist"), size=(64, 48))
    try:
        export([path], tmp_path / "a.hdf5", "robomimic", plan, renderer)
        export([path], tmp_path / "three", "lerobot", plan, renderer)
        export([path], tmp_path / "two", "lerobot2", plan, renderer)
    finally:
        renderer.close()
    assert check_robomimic(tmp_path / "a.hdf5") == {"demo_0": 5, "demo_1": 5}
    with h5py.File(tmp_path / "a.hdf5") as file:
        images = file["data/demo_0/obs/front_image"][:]
        assert images.shape == (5, 48, 64, 3) and images.dtype == np.uint8 and images.std() > 5 and (images[0] != images[-1]).any()
        assert (file["data/demo_0/obs/wrist_image"][0] != images[0]).any()
    film = tmp_path / "three/videos/observation.images.front/chunk-000/file-000.mp4"
    with av.open(str(film)) as container:
        frames = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    assert len(frames) == 10 and np.abs(frames[0].astype(int) - images[0]).mean() < 12
    assert sorted(one.name for one in (tmp_path / "two/videos/chunk-000/observation.images.wrist").iterdir()) == ["episode_000000.mp4", "episode_000001.mp4"]
    rows = pq.read_table(tmp_path / "three/meta/episodes/chunk-000/file-000.parquet").to_pylist()
    assert [(one["videos/observation.images.front/from_timestamp"], one["videos/observation.images.front/to_timestamp"]) for one in rows] == [(0.0, 1.0), (1.0, 2.0)]
    stats = json.loads((tmp_path / "three/meta/stats.json").read_text())["observation.images.front"]
    assert np.shape(stats["mean"]) == (3, 1, 1) and 0 <= stats["q01"][0][0][0] < stats["q99"][0][0][0] <= 1 and stats["count"] == [10]
    if has_doctor():
        assert doctor(tmp_path / "three")["FAIL"] == [] and doctor(tmp_path / "two")["FAIL"] == []


def test_what_a_person_drove_is_exported_alone_or_told_in_each_row(tmp_path):
    made = Made(tmp_path, 5)
    made.do(c.LoadKey(0))
    made.say("driver", "policy")
    made.say("start", "push")
    for who, steps in (("person", 100), ("policy", 60), ("person", 40)):
        made.move(80 if who == "person" and steps == 100 else 0)
        made.say("driver", who)
        made.move(steps)
    made.say("success")
    path = made.save(tmp_path / "a.h5")
    with opened(path) as of:
        runs = [(who, entry) for entry, who in of.episodes[0].drivers]
        assert [who for who, _entry in runs] == ["policy", "person", "policy", "person"]
    whole = export([path], tmp_path / "whole.hdf5", "robomimic", CTRL)
    assert export([path], tmp_path / "part.hdf5", "robomimic", replace(CTRL, driver="person")) == {"episodes": 2, "frames": 10 + 4, "left_out": 0}
    with h5py.File(tmp_path / "whole.hdf5") as file, h5py.File(tmp_path / "part.hdf5") as part:
        modes = file["data/demo_0/action_modes"][:]
        assert whole["frames"] == 28 and modes.tolist() == 8 * [0] + 10 * [1] + 6 * [0] + 4 * [1]
        assert np.array_equal(file["data/demo_0/states"][:][8:18], part["data/demo_0/states"][:]) and np.array_equal(file["data/demo_0/actions"][:][24:], part["data/demo_1/actions"][:])
        assert part["data/demo_0/rewards"][:].sum() == 0 and part["data/demo_1/rewards"][-1] == 1
    with pytest.raises(ExportError, match="no episode has a part that a script drove"):
        export([path], tmp_path / "none.hdf5", "robomimic", replace(CTRL, driver="script"))
    with pytest.raises(ExportError, match="nobody drives as 'robot'"):
        replace(CTRL, driver="robot")
