"""linkwork demo: lists, checks, replay, editing, export by the command line."""
import json

import h5py
import pytest

from app import headless
from app.demonstrations.sources import told
from tests.app.demonstrations.made import TEXT, Made


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    made = Made(folder, 2)
    made.episode(100)
    made.episode(80, "failure", "stack")
    made.episode(60)
    return made.save(folder / "a.h5")


def called(capsys, *arguments):
    code = headless.main(["demo", *(str(argument) for argument in arguments)])
    out, err = capsys.readouterr()
    return code, out, err


def test_info_lists_episodes(path, capsys):
    code, out, _ = called(capsys, "info", path)
    lines = out.splitlines()
    assert code == 0 and lines[0].startswith(f"{path}: ") and "3 episodes" in lines[0] and "failure" in lines[2] and "80 steps" in lines[2] and "0.40 s" in lines[2] and "stack" in lines[2]
    assert lines[-1] == "in all: 1 failure, 2 success"
    code, out, _ = called(capsys, "info", path.parent, "--json")
    assert [one["steps"] for one in json.loads(out)["recordings"][0]["episodes"]] == [100, 80, 60]


def test_check_and_replay_find_nothing_wrong(path, capsys):
    assert called(capsys, "check", path)[:2] == (0, f"{path}: 3 episodes, whole\n")
    assert called(capsys, "replay", path)[:2] == (0, "3 of 3 episodes bit for bit the same\n")
    code, out, _ = called(capsys, "replay", path, "--episodes", "2-3", "--speed", "50", "--json")
    assert code == 0 and [one["episode"] for one in json.loads(out)["replayed"]] == [2, 3]


def test_a_damaged_file_is_found(path, tmp_path, capsys):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / "b.h5").write_bytes(data)
    code, out, _ = called(capsys, "check", path, tmp_path / "b.h5")
    assert code == 1 and "3 episodes, whole" in out and "checksum is wrong" in out
    code, _, err = called(capsys, "replay", tmp_path / "none.h5")
    assert code == 1 and "no such file" in err


def test_editing_writes_recordings(path, tmp_path, capsys):
    assert called(capsys, "trim", path, "-o", tmp_path / "t.h5", "--episode", 1, "--from", 0.1, "--to", 0.3)[0] == 0
    assert called(capsys, "cut", path, "-o", tmp_path / "c.h5", "--episodes", "1,3")[0] == 0
    assert called(capsys, "cut", path, "-o", tmp_path / "s.h5", "--episode", 2, "--at", 0.2)[0] == 0
    assert called(capsys, "merge", tmp_path / "t.h5", tmp_path / "c.h5", "-o", tmp_path / "m.h5")[0] == 0
    code, out, _ = called(capsys, "replay", tmp_path)
    assert code == 0 and out == "12 of 12 episodes bit for bit the same\n"
    code, out, _ = called(capsys, "info", tmp_path / "m.h5", "--json")
    assert [one["steps"] for one in json.loads(out)["recordings"][0]["episodes"]] == [40, 80, 60, 80]
    code, _, err = called(capsys, "cut", path, "-o", tmp_path / "x.h5", "--episode", 2)
    assert code == 2 and "--at" in err


def test_export_makes_data_sets(path, tmp_path, capsys):
    code, out, _ = called(capsys, "export", path, "-o", tmp_path / "a.hdf5", "--format", "robomimic", "--rate", 20, "--actions", "ee-abs", "--observe", 'qpos, body("cube").xpos')
    assert code == 0 and out == f"{tmp_path / 'a.hdf5'}: 2 episodes, 16 states and actions at 20 per second\n"
    with h5py.File(tmp_path / "a.hdf5") as file:
        assert file["data/demo_0/obs/body_cube_xpos"].shape == (10, 3) and file["data/demo_0/actions"].shape == (10, 6)
    code, out, _ = called(capsys, "export", path, "-o", tmp_path / "b", "--format", "lerobot", "--cameras", "front", "--size", "64x64", "--rate", 10, "--which", "all", "--quality", "lowest")
    assert code == 0 and "3 episodes, 12 states" in out and (tmp_path / "b/videos/observation.images.front/chunk-000/file-000.mp4").is_file()
    code, _, err = called(capsys, "export", path, "-o", tmp_path / "c", "--format", "lerobot", "--cameras", "fornt")
    assert code == 1 and "no camera 'fornt'" in err and "front" in err and not (tmp_path / "c").exists()
    with pytest.raises(SystemExit):
        called(capsys, "export", path, "-o", tmp_path / "c", "--format", "csv")


def test_record_listens_to_typed_words_and_leaves_a_file(tmp_path, capsys, monkeypatch):
    (tmp_path / "pusher.xml").write_text(TEXT)
    words = iter(["start\n", "success\n", "record again\n", "it slipped\n", "failure\n", "quit\n"])

    class Typed:
        def readable(self):
            return True

        def __iter__(self):
            return words

    monkeypatch.setattr("sys.stdin", Typed())
    monkeypatch.setattr("app.headless.teleop.start_sources", lambda hub, names, arguments: [])      # no device is here
    code, out, _err = called(capsys, "record", tmp_path / "pusher.xml", "-o", tmp_path / "demos", "--key", "home", "--task", "push", "--range", "cube.x=-0.1:0.1", "--time", 60)
    assert code == 0 and "1 failure" in out
    (path,) = (tmp_path / "demos").glob("pusher-*.h5")
    recording, episodes = told(path)
    assert [one.task for one in episodes] == ["push"] * len(episodes) and episodes[-1].outcome == "failure" and "it slipped" in episodes[-1].notes and episodes[-1].drawn >= 0
    assert list(recording.model(recording.running).texts.values()) == [TEXT]
    for wrong, said in ((("--range", "cub.x=0:1"), "cube"), (("--range", "cube.x"), "joint.x=-0.1:0.1"), (("--success", "tme"), "time")):
        code, _, err = called(capsys, "record", tmp_path / "pusher.xml", "-o", tmp_path / "demos", *wrong)
        assert code == 2 and said in err
