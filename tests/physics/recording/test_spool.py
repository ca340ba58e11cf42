"""The disk behind the memory: what is written while a run goes on comes back, whatever happened to the history meanwhile and however the process ended."""
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from physics.recording import spool as module
from physics.recording.errors import RecordingError
from physics.recording.frames import FrameFile, read_frames
from physics.recording.recording import RecordedMark, whole_way
from physics.recording.recover import joined_steps, recover
from physics.recording.spool import PresentRow, Ref, Spool, behind, with_older
from tests.physics.recording.made import WIDE, block, branch, cells, differences, held, piece, rich


def simple(*branches, shown, lines=()):
    """A recording with nothing but states."""
    return replace(rich(), branches=branches, shown=shown, inputs=tuple(lines), again=None, last=9)


def appended(folder, *moments, **more):
    """A spool with these moments in it."""
    made = Spool(folder, **more)
    for moment in moments:
        made.append(moment)
    made.close()
    return made


def test_everything_comes_back(tmp_path):
    appended(tmp_path, rich())
    assert differences(recover(tmp_path), rich()) == []


def test_only_what_is_new_is_written(tmp_path):
    memory = block(1000)
    made = Spool(tmp_path)
    sizes = [made.append(simple(branch(1, piece(memory, 0, n, 0), marks=[RecordedMark(0, 0.0, "start", "start", 0.0)], notes=[held(0)]), shown=1)) for n in (10, 300, 300, 301, 1000)]
    assert made.steps == 1000 and sizes[2] == 0 and sizes[3] < 300
    made.close()
    found = recover(tmp_path)
    assert cells(found.line) == cells(branch(1, piece(memory, 0, 1000, 0))) and found.line.held == (held(0),)


def test_branches_come_and_go_and_share_rows(tmp_path):
    memory, other = block(600), block(100, seed=1)
    began = simple(branch(1, piece(memory, 0, 600, 0)), shown=1)
    cut = simple(branch(1, piece(memory, 401, 199, 401), fork=400), branch(2, piece(memory, 0, 401, 0), piece(other, 0, 30, 401), fork=400), shown=2)
    back = simple(branch(1, piece(memory, 0, 401, 0), piece(memory, 401, 199, 401), fork=400), branch(2, piece(other, 0, 30, 401), fork=400), shown=1)
    made = Spool(tmp_path)
    for moment, steps in ((began, 600), (cut, 630), (back, 630)):
        made.append(moment)
        assert made.steps == steps and differences(recover(tmp_path), moment) == []
    gone = simple(branch(1, piece(memory, 0, 401, 0), piece(memory, 401, 199, 401), fork=400), shown=1)
    made.append(gone)
    assert differences(recover(tmp_path), gone) == []


def test_a_row_that_was_set_by_hand_is_written_again(tmp_path):
    memory = block(50)
    made = Spool(tmp_path)
    made.append(simple(branch(1, piece(memory, 0, 50, 100)), shown=1))
    memory[20 * 8 + 3] = 123.0
    made.append(simple(branch(1, piece(memory, 0, 50, 100)), shown=1), changed=[120])
    assert recover(tmp_path).line.track.pieces[0].rows[20, 3] == 123.0 and made.steps == 51


def test_a_row_that_is_set_by_hand_while_it_is_written_is_as_it_was(tmp_path):
    memory = block(50)
    taken = simple(branch(1, piece(memory, 0, 50, 100)), shown=1)
    present = PresentRow.of(memory[49 * 8:50 * 8])
    was = memory.copy()
    memory[49 * 8 + 3] = 123.0      # its input comes with the next call
    made = Spool(tmp_path)
    made.append(taken, present=present)
    assert cells(recover(tmp_path).line) == cells(branch(1, piece(was, 0, 50, 100)))
    made.append(taken, changed=[149], present=PresentRow.of(memory[49 * 8:50 * 8]))
    assert cells(recover(tmp_path).line) == cells(branch(1, piece(memory, 0, 50, 100)))


def test_rows_that_were_copied_to_a_smaller_place_are_known(tmp_path):
    memory = block(500)
    made = Spool(tmp_path)
    made.append(simple(branch(1, piece(memory, 0, 200, 7)), shown=1))
    small, other = memory[:200 * 8].copy(), block(30, WIDE)
    later = simple(branch(1, piece(small, 0, 200, 7), piece(other, 0, 30, 207, WIDE, 1)), shown=1)
    made.append(later)
    assert made.steps == 230 and differences(recover(tmp_path), later) == []


def test_what_the_memory_has_no_room_for_stays_on_the_disk(tmp_path):
    blocks = [block(100, seed=k) for k in range(6)]
    made, marks, notes = Spool(tmp_path), [RecordedMark(100 * k, 1.0, "reset", f"{k}", 0.0) for k in range(6)], [held(100 * k, k) for k in range(6)]
    for last in range(6):
        first = max(0, last - 2)
        made.append(simple(branch(1, *(piece(blocks[k], 0, 100, 100 * k) for k in range(first, last + 1)), marks=marks[first:last + 1], notes=notes[first:last + 1]), shown=1))
    whole = branch(1, *(piece(blocks[k], 0, 100, 100 * k) for k in range(6)), marks=marks, notes=notes)
    assert differences(recover(tmp_path), simple(whole, shown=1)) == []
    cut = simple(branch(1, piece(blocks[5], 50, 50, 550), fork=549), branch(2, *(piece(blocks[k], 0, 100 if k < 5 else 50, 100 * k) for k in range(3, 6)), fork=549), shown=2)
    made.append(cut)
    found = recover(tmp_path)
    assert cells(found.line) == cells(whole)[:550] and cells(found.branch(1)) == cells(whole)[550:]
    assert cells(replace(found.line, track=whole_way(found, 1))) == cells(whole)


def test_the_oldest_goes_where_the_folder_would_be_too_large(tmp_path):
    memory = block(20000)
    made = Spool(tmp_path, limit=400_000, segment=50_000)
    for n in range(500, 20001, 500):
        made.append(simple(branch(1, piece(memory, 0, n, 0)), shown=1, lines=[f'["steps",{n},0.0,500]']))
    assert made.size < 460_000 and sum(p.stat().st_size for p in tmp_path.iterdir()) == made.size
    found = recover(tmp_path)
    kept = len(found.line.track)
    assert 2000 < kept < 15000 and cells(found.line) == cells(branch(1, piece(memory, 20000 - kept, kept, 20000 - kept))) and found.inputs == ('["steps",500,0.0,20000]',)


def test_another_process_may_read_while_it_is_written(tmp_path):
    memory = block(3000)
    made = Spool(tmp_path)
    for n in range(100, 3001, 100):
        made.append(simple(branch(1, piece(memory, 0, n, 0)), shown=1))
        assert len(recover(tmp_path).line.track) == n


@pytest.mark.parametrize("old, new, whole", [
    ([(0, 0, 0, 100)], [(0, 0, 0, 120)], [(0, 0, 0, 120)]),
    ([(0, 0, 0, 100), (1, 0, 100, 50)], [(1, 0, 100, 70)], [(0, 0, 0, 100), (1, 0, 100, 70)]),
    ([(0, 0, 0, 100), (1, 0, 100, 50)], [(1, 20, 120, 70)], [(0, 0, 0, 100), (1, 0, 100, 90)]),
    ([(0, 0, 0, 100), (1, 0, 100, 50)], [(2, 0, 150, 5)], [(0, 0, 0, 100), (1, 0, 100, 50), (2, 0, 150, 5)]),
    ([(0, 0, 0, 100), (1, 0, 100, 50)], [(2, 0, 151, 5)], [(2, 0, 151, 5)]),
    ([(0, 0, 0, 100), (1, 0, 100, 50)], [(2, 0, 120, 5)], [(2, 0, 120, 5)]),
    ([(0, 0, 10, 100)], [(3, 0, 5, 5)], [(3, 0, 5, 5)]), ([], [(0, 0, 3, 1)], [(0, 0, 3, 1)])])
def test_older_rows_are_kept_where_the_line_is_the_same(old, new, whole):
    assert with_older(tuple(Ref(*r) for r in old), tuple(Ref(*r) for r in new)) == tuple(Ref(*r) for r in whole)


def test_what_is_behind_a_fork():
    refs = (Ref(0, 5, 10, 10), Ref(1, 0, 20, 5))
    assert behind(refs, 9) == refs and behind(refs, 14) == (Ref(0, 10, 15, 5), refs[1]) and behind(refs, 21) == (Ref(1, 2, 22, 3),) and behind(refs, 24) == ()


def test_steps_that_follow_each_other_are_one():
    assert joined_steps(['["steps",0,0.0,5]', '["steps",5,0.1,7]', '["run",12,0.2,false]', '["idle",12,0.2,1]', '["idle",12,0.2,2]', '["steps",12,0.2,1]']) == [
        '["steps",0,0.0,12]', '["run",12,0.2,false]', '["idle",12,0.2,3]', '["steps",12,0.2,1]']


# ---------------------------------------------------------------- damage

def test_records_are_read_as_far_as_they_are_whole(tmp_path):
    path = tmp_path / "x"
    made = FrameFile(path)
    for k in range(5):
        made.add(b"kind", bytes([k]) * 100)
    made.close()
    whole = path.read_bytes()
    assert [content[0] for _kind, content in read_frames(path)] == [0, 1, 2, 3, 4]
    for end in range(0, len(whole), 7):
        path.write_bytes(whole[:end])
        assert len(list(read_frames(path))) == end // 112
    for at in range(112, 224, 3):
        broken = bytearray(whole)
        broken[at] ^= 4
        path.write_bytes(broken)
        assert len(list(read_frames(path))) == 1


def test_a_full_disk_leaves_whole_records(tmp_path):
    made = FrameFile(tmp_path / "x")
    made.add(b"kind", b"a" * 50)

    class Full:
        def __init__(self, file):
            self.file, self.left = file, 20

        def write(self, data):
            if not self.left:
                raise OSError(28, "No space left on device")
            part, self.left = data[:self.left], 0
            return self.file.write(part)

        def fileno(self):
            return self.file.fileno()

    made._file = Full(made._file)
    with pytest.raises(OSError):
        made.add(b"kind", b"b" * 50)
    made._file = made._file.file
    made.add(b"kind", b"c" * 50)
    assert [content[:1] for _kind, content in read_frames(tmp_path / "x")] == [b"a", b"c"]


def test_a_spool_that_was_cut_anywhere_gives_its_beginning_or_one_error(tmp_path):
    memory = block(900)
    folder = tmp_path / "run"
    moments = [simple(branch(1, piece(memory, 0, n, 0)), shown=1, lines=[f'["steps",{n},0.0,100]']) for n in range(100, 901, 100)]
    appended(folder, *moments)
    logs, parts = (folder / module.LOG).read_bytes(), (folder / "rows.00000").read_bytes()
    for end in [*range(0, len(parts), len(parts) // 23), len(parts)]:
        (folder / "rows.00000").write_bytes(parts[:end])
        try:
            found = cells(recover(folder).line)
        except RecordingError as why:
            assert str(folder) in str(why) and end < len(parts) / 8
        else:
            assert found == cells(branch(1, piece(memory, 0, len(found), 0))) and len(found) >= 900 * end // len(parts) - 100
    r = np.random.default_rng(0)
    (folder / "rows.00000").write_bytes(parts)
    for at in r.integers(len(logs), size=200):
        broken = bytearray(logs)
        broken[at] ^= 1 << r.integers(8)
        (folder / module.LOG).write_bytes(broken[:r.integers(1, len(logs) + 1)])
        try:
            assert recover(folder).shown == 1
        except RecordingError as why:
            assert str(folder) in str(why)


@pytest.mark.parametrize("kind, content", [
    (module.HEADER, b'{"format":2,"about":{}}'), (module.LAYOUT, b'{"key":0,"parts":[["qpos",-3]],"pairs":[]}'), (module.LAYOUT, b'{"key":0,"parts":[["qpos",3]],"pairs":[[0,99]]}'),
    (module.TREE, b"no zlib"), (module.HELD, b""), (module.MODEL, b"[]"), (module.BOOKMARKS, b'{"bookmarks":[[1]]}'), (module.INPUTS, b"\0"), (module.PIECE, b"{}")])
def test_hostile_records_give_one_error(tmp_path, kind, content):
    made = appended(tmp_path, rich())
    log = FrameFile(tmp_path / module.LOG)
    log.add(kind, content)
    log.close()
    with pytest.raises(RecordingError, match=str(made.folder)):
        recover(tmp_path)


def test_nothing_is_no_recording(tmp_path):
    with pytest.raises(OSError):
        recover(tmp_path)
    Spool(tmp_path / "a").close()
    with pytest.raises(RecordingError, match="no state"):
        recover(tmp_path / "a")


def test_who_is_killed_loses_one_second_at_most(tmp_path):
    code = f"""
import sys, time
sys.path.insert(0, {os.getcwd()!r})
from pathlib import Path
from physics.recording.spool import Spool
from tests.physics.recording.test_spool import simple
from tests.physics.recording.made import block, branch, piece
memory, spool, n = block(200000), Spool(Path({str(tmp_path)!r})), 0
while True:
    n += 137
    spool.append(simple(branch(1, piece(memory, 0, n, 0)), shown=1, lines=[f'["steps",{{n}},0.0,137]']))
    print(n, flush=True)
    time.sleep(0.01)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    written = 0
    end = time.monotonic() + 1.0
    while time.monotonic() < end or written < 1000:
        written = int(process.stdout.readline())
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read().split()
    process.wait()
    written = int(rest[-1]) if rest else written
    found = recover(tmp_path)
    assert len(found.line.track) in (written, written + 137) and sum(int(line.rsplit(",", 1)[1][:-1]) for line in found.inputs) in (written, written + 137)
    assert cells(found.line) == cells(branch(1, piece(block(200000), 0, len(found.line.track), 0)))


def test_rows_that_are_alike_by_chance_are_not_taken_for_each_other(tmp_path):
    first = block(100)
    again, made = block(100), Spool(tmp_path)       # run on from entry 39 as before, and then otherwise
    again[45 * 8:] += 1.0
    made.append(simple(branch(1, piece(first, 0, 100, 0)), shown=1))
    for n in (2, 4, 60):
        now = simple(branch(1, piece(first, 40, 60, 40), fork=39), branch(2, piece(first, 0, 40, 0), piece(again, 40, n, 40), fork=39), shown=2)
        made.append(now)
        assert differences(recover(tmp_path), now) == []
    alike = first[:40 * 8].copy()       # and is whole
    now = simple(branch(1, piece(first, 0, 100, 0)), branch(2, piece(alike, 0, 40, 0), parent=1, fork=-1), shown=1)
    made.append(now)
    alike[33] = 5.0
    made.append(now, changed=[4])
    assert differences(recover(tmp_path), now) == []
