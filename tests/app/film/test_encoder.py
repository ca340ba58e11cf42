"""The encoding thread: nothing is dropped, the queue is bounded, films are whole or not there, and errors carry names."""
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from fractions import Fraction

import av
import numpy as np
import pytest
from PIL import Image

from app.film.encoder import Encoder
from app.film.formats import ENCODINGS, FilmError, check_film, check_size, fitting, frame_count, frame_rate, is_film
from app.film.writers import film_writer, spread
from tests.app.film.pendulum import decode

SIZE, RATE = (64, 48), Fraction(30)
COLOURS = [(220, 40, 30), (30, 200, 60), (40, 60, 210), (230, 220, 40), (128, 128, 128)]


def plain(k, size=SIZE):
    """A picture of one colour."""
    return np.full((size[1], size[0], 3), COLOURS[k % len(COLOURS)], np.uint8)


class Slow:
    """A writer that waits for a go before each picture."""

    def __init__(self, fail_at=None):
        self.go, self.pictures, self.fail_at, self.begun = threading.Semaphore(0), [], fail_at, threading.Event()

    @contextmanager
    def open(self):
        def write(picture):
            self.begun.set()
            self.go.acquire()
            if self.fail_at == len(self.pictures):
                raise FilmError("film.mp4 cannot be written: No space left on device")
            self.pictures.append(picture)
        yield write


@pytest.mark.parametrize("suffix", [".mp4", ".mkv", ".mov", ".webm", ".m4v"])
def test_a_film_holds_every_picture_at_its_time(tmp_path, suffix):
    path = tmp_path / f"film{suffix}"
    encoder = Encoder(film_writer(path, SIZE, RATE, "best"))
    for k in range(25):
        encoder.put(plain(k))
    assert not path.exists()     # not before it is complete
    encoder.end()
    assert encoder.join(30) and encoder.error is None and encoder.written == 25
    pictures, times, rate, duration = decode(path)
    assert pictures.shape == (25, 48, 64, 3) and rate == 30 and duration == pytest.approx(25 / 30, abs=0.04)
    assert np.allclose(times, np.arange(25) / 30, atol=1e-3)
    for k, picture in enumerate(pictures):
        assert np.abs(picture.reshape(-1, 3).mean(0) - COLOURS[k % 5]).max() < 6, k
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encodings_trade_size_for_fidelity(tmp_path, encoding):
    noise = np.random.default_rng(0).integers(0, 255, (48, 64, 3), np.uint8)
    sizes = {}
    for name in (encoding, "best"):
        path = tmp_path / f"{name}.mp4"
        with film_writer(path, SIZE, RATE, name) as write:
            for _ in range(10):
                write(noise)
        sizes[name] = path.stat().st_size
    assert sizes[encoding] < sizes["best"] or encoding == "best"


def test_the_queue_is_bounded_and_nothing_is_dropped():
    slow = Slow()
    encoder = Encoder(slow.open(), room=3)
    assert encoder.offer(plain(0)) and slow.begun.wait(20)
    taken = 1
    while encoder.offer(plain(taken)) and taken < 50:
        taken += 1
    assert taken == 4 and encoder.full      # one at the encoder, three waiting
    start = time.perf_counter()
    assert not encoder.offer(plain(99))     # never waits
    assert time.perf_counter() - start < 5
    put = threading.Thread(target=encoder.put, args=(plain(4),))
    put.start()
    put.join(0.1)
    assert put.is_alive()                   # waits for room
    for _ in range(9):
        slow.go.release()
    put.join(30)
    encoder.end()
    assert encoder.join(30) and len(slow.pictures) == 5 and encoder.most_waiting == 3
    assert all((picture == plain(k)).all() for k, picture in enumerate(slow.pictures))


def test_a_failure_reaches_whoever_draws_even_while_it_waits():
    slow = Slow(fail_at=1)
    encoder = Encoder(slow.open(), room=1)
    slow.go.release()
    slow.go.release()
    with pytest.raises(FilmError, match="No space left"):
        for k in range(10):
            encoder.put(plain(k))
    assert encoder.join(30) and "film.mp4" in str(encoder.error)
    with pytest.raises(FilmError, match="No space left"):
        encoder.offer(plain(0))


def test_an_abandoned_film_leaves_nothing(tmp_path):
    path = tmp_path / "film.mp4"
    path.write_bytes(b"an older film")
    encoder = Encoder(film_writer(path, SIZE, RATE))
    encoder.put(plain(0))
    encoder.abandon()
    assert encoder.join(10) and encoder.error is None
    assert [p.name for p in tmp_path.iterdir()] == ["film.mp4"] and path.read_bytes() == b"an older film"
    with pytest.raises(FilmError):
        encoder.offer(plain(1))


FULL = """
import resource, signal, sys
from fractions import Fraction
from pathlib import Path
import numpy as np
from app.film.encoder import Encoder
from app.film.formats import FilmError
from app.film.writers import film_writer
import av
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
encoder = Encoder(film_writer(Path(sys.argv[1]), (320, 240), Fraction(30), "best"))
noise = np.random.default_rng(0)
try:
    for k in range(200):
        encoder.put(noise.integers(0, 255, (240, 320, 3), np.uint8))
    encoder.end()
except FilmError:
    pass
encoder.join()
print(encoder.error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no resource limits there")
@pytest.mark.parametrize("name", ["film.mp4", "film.webm", "frame_%03d.png"])
def test_a_full_disk_is_reported_by_name_and_leaves_no_half_film(tmp_path, name):
    done = subprocess.run([sys.executable, "-c", FULL, str(tmp_path / name)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert name.split("_")[0] in done.stdout and "cannot be written: File too large" in done.stdout
    for left in tmp_path.iterdir():     # numbered pictures that were written are whole
        Image.open(left).load()
    assert not list(tmp_path.glob("*.mp4")) and not list(tmp_path.glob(".*"))


@pytest.mark.parametrize(("name", "codec", "words"), [
    ("film.mp4", "libnope", "libnope: there is no such encoder"), ("film.webm", "libx264", "libx264: 'webm' format does not support"),
    ("no/film.mp4", None, "No such file or directory"), ("no/no/f_%d.png", None, "cannot be made")])
def test_what_cannot_be_written_is_named(tmp_path, name, codec, words):
    encoder = Encoder(film_writer(tmp_path / name, SIZE, RATE, "good", codec))
    encoder.end()
    assert encoder.join(10) and words in str(encoder.error) and name.split("/")[0] in str(encoder.error)
    assert not list(tmp_path.iterdir())


def test_another_encoder_can_be_asked_for(tmp_path):
    with film_writer(tmp_path / "film.mov", SIZE, RATE, "good", "prores_ks") as write:
        write(plain(0))
    assert np.abs(decode(tmp_path / "film.mov")[0].reshape(-1, 3).mean(0) - COLOURS[0]).max() < 6


def disc(k):
    """A picture with straight alpha: a red disc with a soft rim, a half clear blue square, nothing else."""
    y, x = np.mgrid[:96, :128]
    radius = np.hypot(x - 50 - 2 * k, y - 48)
    out = np.zeros((96, 128, 4), np.uint8)
    out[radius < 31] = 220, 40, 30, 128
    out[radius < 30] = 220, 40, 30, 255
    out[60:90, 90:120] = 30, 60, 220, 100
    return out


def clear_pictures(path):
    """Pictures (n, height, width, 4) of a film with a transparent background."""
    with av.open(str(path)) as film:
        stream = film.streams.video[0]
        if stream.codec_context.name == "vp9":      # FFmpeg's own decoder leaves the alpha out
            decoder = av.CodecContext.create("libvpx-vp9", "r")
            frames = [f for packet in film.demux(stream) for f in decoder.decode(packet)]
        else:
            frames = list(film.decode(stream))
    return np.stack([f.reformat(format="rgba", **({"src_colorspace": "ITU709"} if "yuv" in f.format.name else {})).to_ndarray() for f in frames])


@pytest.mark.parametrize(("suffix", "codec", "off"), [
    (".mov", None, 1), (".mov", "qtrle", 0), (".mov", "png", 0), (".webm", None, 4), (".mkv", None, 0), (".mkv", "libvpx-vp9", 4)])
def test_films_with_a_transparent_background(tmp_path, suffix, codec, off):
    path = tmp_path / f"film{suffix}"
    with film_writer(path, (128, 96), RATE, "best", codec, True) as write:
        for k in range(5):
            write(disc(k))
    seen = clear_pictures(path).astype(int)
    assert len(seen) == 5
    for k, picture in enumerate(seen):
        wanted = disc(k).astype(int)
        error = np.abs(picture - wanted)
        assert error[..., 3].mean() <= 0.3 * off and error[..., 3].max() <= 8 * off
        assert error[wanted[..., 3] > 0][:, :3].mean() <= off, k      # edges keep their colour


def test_an_encoder_without_alpha_is_refused_by_name(tmp_path):
    with pytest.raises(FilmError, match=r"film\.mov cannot be written by the encoder libx264: it keeps no transparent background"), \
            film_writer(tmp_path / "film.mov", SIZE, RATE, "good", "libx264", True):
        pass
    assert not list(tmp_path.iterdir())


def test_colours_spread_into_what_is_seen_through():
    picture = disc(0)
    out = spread(picture)
    seen = picture[..., 3] > 0
    assert (out[seen] == picture[seen]).all() and (out[..., 3] == picture[..., 3]).all()
    assert (out[48, 16:20, :3] == (220, 40, 30)).all() and (out[0, 127] == 0).all()      # beside the rim; far from everything
    assert np.abs(out[91, 100, :3].astype(int) - (30, 60, 220)).max() <= 1


@pytest.mark.parametrize("name", ["film.mp4", "film.mov", "film.mkv", "film.webm", "f_%d.png"])
def test_a_film_of_one_frame(tmp_path, name):
    with film_writer(tmp_path / name, SIZE, Fraction(60000, 1001)) as write:
        write(plain(2))
    made = tmp_path / name.replace("%d", "0")
    if made.suffix == ".png":
        assert (np.asarray(Image.open(made)) == COLOURS[2]).all()
        return
    pictures, times, rate, _ = decode(made)
    assert len(pictures) == 1 and times[0] == 0 and np.abs(pictures.reshape(-1, 3).mean(0) - COLOURS[2]).max() < 6
    assert float(rate) == pytest.approx(60000 / 1001, rel=1e-3) or made.suffix in (".webm", ".mkv")      # whole milliseconds there, and one of them


def test_numbered_pictures_with_alpha(tmp_path):
    clear = np.dstack([plain(0), np.full((48, 64), 90, np.uint8)])
    with film_writer(tmp_path / "new" / "f_%03d.png", SIZE, RATE) as write:
        write(clear)
        write(plain(1))
    first, second = (np.asarray(Image.open(tmp_path / "new" / f"f_00{k}.png")) for k in range(2))
    assert (first == clear).all() and (second == plain(1)).all()


def test_names_sizes_and_rates(tmp_path):
    from pathlib import Path

    for name in ("a.mp4", "A.MKV", "f_%05d.png", "f%d.jpg"):
        assert is_film(Path(name))
        check_film(Path(name))
    for name, words in (("a.xyz", "no film format"), ("a_%d_%d.png", "one number"), ("a_%s.png", "one number"), ("f_%d.xyz", "no picture format")):
        with pytest.raises(FilmError, match=words):
            check_film(Path(name))
    for name in ("a.mov", "a.webm", "a.MKV", "f_%d.png"):
        check_film(Path(name), alpha=True)
    for name, words in (("a.mp4", "no transparent background; use .mov, .mkv, .webm"), ("a.m4v", "no transparent"), ("f_%d.jpg", "no transparent")):
        with pytest.raises(FilmError, match=words):
            check_film(Path(name), alpha=True)
    assert fitting(Path("a.mp4"), (321, 241)) == (322, 242) and fitting(Path("f_%d.png"), (321, 241)) == (321, 241)
    for size in ((0, 5), (40000, 5), (32768, 32768)):
        with pytest.raises(FilmError, match=f"{size[0]} x {size[1]}"):
            check_size(*size)
    assert frame_rate("30000/1001") == Fraction(30000, 1001) and frame_rate("60") == 60 and frame_rate("12.5") == Fraction(25, 2)
    assert [frame_rate(text) for text in ("23.976", "29.97", "59.94")] == [Fraction(n, 1001) for n in (24000, 30000, 60000)]      # as television means them
    for text in ("0", "-1", "1e9", "x", "1/0"):
        with pytest.raises(ValueError, match="frames per second"):
            frame_rate(text)
    assert frame_count(10, Fraction(60), 1) == 600 and frame_count(1, Fraction(30), 0.25) == 120 and frame_count(1e-6, Fraction(30), 1) == 1
