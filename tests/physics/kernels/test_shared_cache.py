"""A kernel cache that is full, read-only, damaged, shared with other programs or open to other users never stops a program."""
import json
import os
import subprocess
import time

import pytest

from physics.files import disk_cache, private_folder
from physics.kernels import cache
from tests.physics.kernels.test_cache import RUN, WORK

ANSWER = [2, 4.0, False]
ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
posix = pytest.mark.skipif(os.name != "posix", reason="ownership is looked at on POSIX only")


def test_kernels_are_used_from_memory_where_nothing_can_be_stored(workshop):
    workshop.write("work.py", WORK)
    workshop.cache.mkdir()
    text = (workshop.folder / "physics/files/disk_cache.py").read_text()
    broken = text.replace('            if os.write(handle, whole) != len(whole):\n', '            if os.write(handle, whole[:5]) != len(whole):\n')
    assert broken != text
    (workshop.folder / "physics/files/disk_cache.py").write_text(broken)
    assert workshop.run(RUN) == ANSWER
    assert not [p.name for p in workshop.cache.iterdir()], "no empty pack, no temporary file, no claim is left"


def test_the_same_where_the_cache_cannot_be_a_folder(workshop):
    workshop.write("work.py", WORK)
    workshop.cache.write_text("a file where the folder should be")
    home = workshop.folder.parent / "home"
    assert workshop.run(RUN, HOME=str(home), XDG_CACHE_HOME=str(home / "cache")) == ANSWER
    workshop.cache.unlink()
    (home / "cache/linkwork").rename(home / "cache/gone")
    (home / "cache/linkwork").write_text("nor here")
    workshop.cache.write_text("")
    assert workshop.run(RUN, HOME=str(home), XDG_CACHE_HOME=str(home / "cache")) == ANSWER


def test_a_write_that_fails_leaves_nothing(tmp_path, monkeypatch):
    def fails(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", fails)
    with pytest.raises(OSError, match="No space"):
        disk_cache.save(str(tmp_path / "kernels-1"), b"x" * 100)
    assert not list(tmp_path.iterdir())
    cache.store_pack(str(tmp_path), {"a": "b"}, [b"x"])
    cache.store_object(str(tmp_path), "a", b"x")
    assert not list(tmp_path.iterdir())


def test_two_programs_on_one_empty_cache_compile_each_kernel_once(workshop):
    text = "from physics.kernels.decorators import kernel\n"
    text += "".join(f"\n@kernel('f', 'f')\ndef k{n}(x):\n    return x + {n}.0\n" for n in range(24))
    workshop.write("many.py", text)
    path = workshop.folder / "physics/kernels/build.py"
    source = path.read_text()
    counted = source.replace("            data = lower.compile_kernel(decorators.KERNELS[symbol])\n",
                             "            data = lower.compile_kernel(decorators.KERNELS[symbol])\n"
                             "            open(os.path.join(os.path.dirname(folder), 'compiled'), 'a').write(symbol + '\\n')\n")
    assert counted != source
    path.write_text(counted)
    code = "load.ensure(['many'], None, 1)\nimport many\nprint(json.dumps(many.k23(1.0)))"
    both = [workshop.command(code) for _ in range(2)]
    for process in both:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        assert json.loads(out.splitlines()[-1]) == 24.0
    compiled = (workshop.folder.parent / "compiled").read_text().split()
    assert sorted(compiled) == sorted(f"many__k{n}" for n in range(24))
    assert not list(workshop.cache.glob("*.claim"))


def test_claims_of_the_dead_and_of_long_ago_do_not_count(tmp_path):
    folder = str(tmp_path)
    assert cache.claim(folder, "k") and not cache.claim(folder, "k")
    cache.release(folder, "k")
    ended = subprocess.Popen(["true"])
    ended.wait()
    (tmp_path / "k.claim").write_text(f"{ended.pid} {os.uname().nodename}")
    assert cache.claim(folder, "k"), "its process is gone"
    (tmp_path / "k.claim").write_text("1 another-machine")
    assert not cache.claim(folder, "k")
    long_ago = time.time() - 2 * cache.CLAIM_SECONDS
    os.utime(tmp_path / "k.claim", (long_ago, long_ago))
    assert cache.claim(folder, "k")


def test_a_claim_left_behind_stops_nobody(workshop):
    workshop.write("work.py", WORK)
    assert workshop.run(RUN) == ANSWER
    for path in workshop.cache.iterdir():
        if path.suffix == ".object":
            path.with_suffix(".claim").write_text("999999999 " + os.uname().nodename)
        path.unlink()
    begun = time.monotonic()
    assert workshop.run(RUN) == ANSWER
    assert time.monotonic() - begun < cache.CLAIM_SECONDS


@posix
def test_a_folder_that_others_may_write_is_refused_with_one_line(workshop):
    workshop.write("work.py", WORK)
    workshop.cache.mkdir()
    workshop.cache.chmod(0o777)
    home = workshop.folder.parent / "home"
    process = workshop.command(RUN, HOME=str(home), XDG_CACHE_HOME=str(home / "cache"))
    out, err = process.communicate(timeout=120)
    assert json.loads(out.splitlines()[-1]) == ANSWER
    assert f"the kernel cache is not used: {workshop.cache}: every user may write to it" in err
    assert not list(workshop.cache.iterdir())
    private = home / "cache/linkwork"
    assert list(private.glob("kernels-*")) and private.stat().st_mode & 0o077 == 0


@posix
def test_a_file_that_others_may_write_is_compiled_anew(tmp_path):
    path = tmp_path / "x.object"
    cache.store_object(str(tmp_path), "x", bytes(100))
    assert path.stat().st_mode & 0o022 == 0 and cache.read_object(str(tmp_path), "x") == bytes(100)
    path.chmod(0o666)
    assert cache.read_object(str(tmp_path), "x") is None
    cache.store_object(str(tmp_path), "x", bytes(50))
    assert path.stat().st_mode & 0o022 == 0 and cache.read_object(str(tmp_path), "x") == bytes(50)


@posix
@pytest.mark.skipif(not ROOT, reason="only root can give files away")
def test_what_belongs_to_another_user_is_refused(tmp_path):
    path = tmp_path / "x.object"
    cache.store_object(str(tmp_path), "x", bytes(100))
    os.chown(path, 12345, 12345)
    assert cache.read_object(str(tmp_path), "x") is None
    os.chown(tmp_path, 12345, 12345)
    assert private_folder.refuse_shared(tmp_path).endswith("it belongs to user 12345")
