"""Where the pictures of a film go: a video file that appears when it is complete, or numbered files that are whole each.

A writer is a context manager giving `write(picture)`; leaving it well completes the film, leaving it by an exception removes the video
(numbered pictures stay: each is whole). What goes wrong is raised as FilmError with the file's name. Encoding: PyAV, imported here.
"""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType

import numpy as np

from app.film.formats import CLEAR_OPTIONS, CLEAR_PIXELS, ENCODINGS, OPTIONS, PIXELS, VIDEO, FilmError, is_numbered, picture_format
from physics.files.atomic_write import replacing

BT709, FULL, LIMITED = 1, "JPEG", "MPEG"    # the numbers and names FFmpeg has for the colours of HD video
REACH = 8           # how far colours spread into what is seen through [two pixels]
NO_OPTIONS: Mapping[str, str] = MappingProxyType({})
QUICK_PNG = 1       # compression level: a sixth of the time of the default, a tenth more bytes


def film_writer(path: Path, size: tuple[int, int], rate: Fraction, encoding: str = "good", codec: str | None = None, alpha: bool = False):
    """The writer a name asks for. alpha: for pictures with a transparent background."""
    return numbered(path) if is_numbered(path) else video(path, size, rate, encoding, codec, alpha)


@contextmanager
def numbered(path: Path) -> Iterator[Callable]:
    """Pictures path % 0, path % 1, ... The last folder is made if it is not there."""
    form = picture_format(path)
    count = 0

    def write(picture: np.ndarray) -> None:
        nonlocal count
        write_picture(path.with_name(path.name % count), picture, form)
        count += 1

    try:
        path.parent.mkdir(exist_ok=True)
    except OSError as error:
        raise FilmError(f"{path.parent} cannot be made: {error.strerror}") from error
    yield write


def write_picture(path: Path, picture: np.ndarray, form: str) -> None:
    """One picture (height, width, 3 or 4) uint8 into a file, all or nothing. Raises FilmError."""
    from PIL import Image

    options = {"compress_level": QUICK_PNG} if form == "PNG" else {"quality": 92} if form == "JPEG" else {}
    try:
        with replacing(path) as file:
            Image.fromarray(picture).save(file, form, **options)
    except (OSError, ValueError) as error:
        raise FilmError(f"{path} cannot be written: {getattr(error, 'strerror', None) or error}") from error


class _File:
    """The file as the encoder's library sees it; keeps the first error, which that library does not pass on."""

    def __init__(self, file):
        self._file, self.error = file, None
        self.seek, self.tell = file.seek, file.tell

    def write(self, data) -> int:
        """Write, remembering why it failed."""
        try:
            return self._file.write(data)
        except OSError as error:
            self.error = self.error or error
            raise


@contextmanager
def video(path: Path, size: tuple[int, int], rate: Fraction, encoding: str = "good", codec: str | None = None, alpha: bool = False,
          more: Mapping[str, str] = NO_OPTIONS) -> Iterator[Callable]:
    """A video file of this size (even sides) and frame rate. encoding: one of ENCODINGS; codec: an encoder's name in place of the table's; alpha: it
    keeps straight alpha; more: options of the encoder besides."""
    try:
        import av
    except ImportError as error:
        raise FilmError(f"{path}: films need the Python package av (pip install av): {error}") from error

    container, name = VIDEO[path.suffix.lower()], ""
    file = None
    try:
        with replacing(path) as raw:
            file = _File(raw)
            name = codec or _encoder(av, container.clear if alpha else container.encoders, path)
            with _Stream(av, file, container.name, name, size, rate, encoding, alpha, more) as recording:
                yield recording.write
            if file.error is not None:
                raise file.error
    except (av.error.FFmpegError, OSError, ValueError) as error:
        told = file.error if file is not None and file.error is not None else error
        what = f" by the encoder {name}" if told is error and not isinstance(error, OSError) and name else ""
        raise FilmError(f"{path} cannot be written{what}: {_reason(told)}") from error


def _reason(error: Exception) -> str:
    number = getattr(error, "errno", None)
    return os.strerror(number) if isinstance(error, OSError) and number and 0 < number < 200 else str(error)


def _encoder(av, names: tuple[str, ...], path: Path) -> str:
    for name in names:
        if name in av.codecs_available:
            return name
    raise FilmError(f"{path}: the package av has no encoder for {path.suffix} here (looked for {', '.join(names)})")


def _pixels(kinds: list[str], alpha: bool) -> str:
    """How the encoder keeps colours, of what it can. Raises ValueError where it keeps no alpha."""
    found = next((kind for kind in (CLEAR_PIXELS if alpha else PIXELS) if not kinds or kind in kinds), None)
    if alpha and found is None:
        raise ValueError("it keeps no transparent background")
    return found or kinds[0]


def spread(picture: np.ndarray) -> np.ndarray:
    """A copy of a picture (height, width, 4) with straight alpha and even sides, in which pixels that are seen through have the colours of what is near.

    Encoders store colours for two by two pixels and blur them further: what nobody sees must not darken edges.
    """
    near = np.empty((*picture.shape[:2], 4), np.float32)
    near[..., 3] = picture[..., 3]
    np.multiply(picture[..., :3], near[..., 3:], out=near[..., :3], casting="unsafe")
    near = near[0::2, 0::2] + near[1::2, 0::2] + near[0::2, 1::2] + near[1::2, 1::2]      # sums over two by two pixels
    far = np.add.reduceat(np.add.reduceat(near, range(0, near.shape[0], REACH), axis=0), range(0, near.shape[1], REACH), axis=1)
    rows, columns = np.nonzero(picture[..., 3] == 0)
    rows, columns = rows.astype(np.int32), columns.astype(np.int32)
    told = near[rows // 2, columns // 2]
    nothing = np.flatnonzero(told[:, 3] == 0)
    told[nothing] = far[rows[nothing] // (2 * REACH), columns[nothing] // (2 * REACH)]
    out = picture.copy()
    out[rows, columns, :3] = told[:, :3] / np.maximum(told[:, 3:], 1)
    return out


class _Stream:
    """An open video stream: pictures in, packets into the file out."""

    def __init__(self, av, file, container: str, codec: str, size, rate: Fraction, encoding: str, alpha: bool, more: Mapping[str, str]):
        self._av, self._rate, self._count = av, rate, 0
        if codec not in av.codecs_available:
            raise ValueError(f"there is no such encoder in the package av {av.__version__}")
        kinds = [kind.name for kind in av.Codec(codec, "w").video_formats or ()]
        self._alpha, self._kind = alpha, _pixels(kinds, alpha)
        self._yuv = self._kind.startswith("yuv")
        table = CLEAR_OPTIONS if alpha else OPTIONS
        options = table[codec][ENCODINGS.index(encoding)] if codec in table else {}
        self._output = av.open(file, "w", format=container)
        self._stream = stream = self._output.add_stream(codec, rate=rate, options={**options, **more})
        stream.width, stream.height = size
        stream.pix_fmt, stream.time_base = self._kind, 1 / rate
        if self._yuv:
            colours = stream.codec_context
            colours.colorspace = colours.color_primaries = colours.color_trc = BT709
            colours.color_range = 1

    def write(self, picture: np.ndarray) -> None:
        """Append a picture (height, width, 3) uint8, or (height, width, 4) with straight alpha for a film that keeps it."""
        if self._alpha and self._yuv:
            picture = spread(picture)
        frame = self._av.VideoFrame.from_ndarray(picture, format="rgba" if self._alpha else "rgb24")
        if self._yuv:
            frame = frame.reformat(format=self._kind, dst_colorspace="ITU709", src_color_range=FULL, dst_color_range=LIMITED)
        else:
            frame = frame.reformat(format=self._kind)
        frame.pts, frame.time_base = self._count, 1 / self._rate
        self._count += 1
        self._output.mux(self._stream.encode(frame))

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            try:
                self._output.mux(self._stream.encode(None))
            finally:
                self._output.close()
        else:
            with suppress(Exception):   # the first error is the one to tell
                self._output.close()
