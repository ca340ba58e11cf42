"""What films and pictures can be written as, by the name of the file.

    film.mp4                  a video: the suffix decides container and encoder
    folder/frame_%05d.png     one picture per frame, numbered from 0
"""
from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

LARGEST = 32768                 # side of a picture [pixel]
MOST_PIXELS = 1 << 28           # of a picture: 805 MB as bytes
NUMBER = re.compile(r"%(0?\d{0,2})d")
FASTEST = 1000                  # pictures per second
ROUNDED = Fraction(1, 1000)     # 23.976 and 59.94 are short for 24000/1001 and 60000/1001
WITH_ALPHA = (".png", ".webp", ".tif", ".tiff")


class FilmError(Exception):
    """Why a film or picture cannot be made, with the file's name."""


class TooLarge(FilmError):
    """What OpenGL cannot draw here."""


class Container(NamedTuple):
    """FFmpeg's name of a container, and encoders for it: the first that is there is taken. clear: those for films with a transparent background."""

    name: str
    encoders: tuple[str, ...]
    clear: tuple[str, ...] = ()


VIDEO = MappingProxyType({
    ".mp4": Container("mp4", ("libx264", "mpeg4")),
    ".m4v": Container("mp4", ("libx264", "mpeg4")),
    ".mov": Container("mov", ("libx264", "mpeg4"), ("prores_ks", "qtrle")),
    ".mkv": Container("matroska", ("libx264", "mpeg4"), ("ffv1",)),
    ".webm": Container("webm", ("libvpx-vp9", "libsvtav1"), ("libvpx-vp9",)),
})
CLEAR_VIDEO = tuple(suffix for suffix, container in VIDEO.items() if container.clear)
# how encoders shall keep colours, the first that one can
PIXELS = ("yuv420p",)
CLEAR_PIXELS = ("bgra", "argb", "rgba", "yuva444p10le", "yuva420p", "gbrap")
ENCODINGS = ("small", "good", "best")
# encoder -> options for each of ENCODINGS; other encoders run with their own defaults
OPTIONS = MappingProxyType({
    "libx264": ({"crf": "29", "preset": "veryfast"}, {"crf": "20", "preset": "veryfast"}, {"crf": "12", "preset": "medium"}),
    "mpeg4": ({"qscale": "8"}, {"qscale": "4"}, {"qscale": "2"}),
    "libvpx-vp9": tuple({"crf": crf, "b:v": "0", "deadline": "realtime", "cpu-used": speed} for crf, speed in (("40", "7"), ("30", "6"), ("18", "5"))),
    "libsvtav1": ({"crf": "45", "preset": "10"}, {"crf": "32", "preset": "9"}, {"crf": "20", "preset": "8"}),
})
CLEAR_OPTIONS = MappingProxyType({
    "prores_ks": tuple({"profile": "4444", "alpha_bits": "16", "qscale": scale} for scale in ("13", "9", "4")),
    "libvpx-vp9": OPTIONS["libvpx-vp9"],
})


def is_numbered(path: Path) -> bool:
    """Whether the name asks for numbered pictures."""
    return "%" in path.name


def is_film(path: Path) -> bool:
    """Whether the name asks for a film: a video or numbered pictures."""
    return is_numbered(path) or path.suffix.lower() in VIDEO


def picture_format(path: Path, alpha: bool = False) -> str:
    """Pillow's name of the format that a picture's suffix asks for. Raises FilmError where there is none, or none with alpha."""
    from PIL import Image

    suffix = path.suffix.lower()
    found = Image.registered_extensions().get(suffix)
    if found not in Image.SAVE:
        raise FilmError(f"{path}: '{path.suffix}' is no picture format, use .png; films are {', '.join(VIDEO)} or frame_%05d.png")
    if alpha and suffix not in WITH_ALPHA:
        raise FilmError(f"{path}: a {suffix} has no transparent background; use {', '.join(WITH_ALPHA)}")
    return found


def check_film(path: Path, alpha: bool = False) -> None:
    """Raises FilmError where a film cannot have this name."""
    if is_numbered(path):
        if len(NUMBER.findall(path.name)) != 1 or path.name.count("%") != 1:
            raise FilmError(f"{path}: numbered pictures need one number in the name, like frame_%05d.png")
        picture_format(path, alpha)
    elif path.suffix.lower() not in VIDEO:
        raise FilmError(f"{path}: '{path.suffix}' is no film format; use {', '.join(VIDEO)}, or numbered pictures like frame_%05d.png")
    elif alpha and path.suffix.lower() not in CLEAR_VIDEO:
        raise FilmError(f"{path}: a {path.suffix} has no transparent background; use {', '.join(CLEAR_VIDEO)}, or numbered pictures like frame_%05d.png")


def check_size(width: int, height: int) -> None:
    """Raises FilmError for a picture without pixels or with too many."""
    if min(width, height) < 1 or max(width, height) > LARGEST or width * height > MOST_PIXELS:
        raise FilmError(f"a picture of {width} x {height} cannot be made: sides from 1 to {LARGEST} pixels, {MOST_PIXELS >> 20} million pixels together")


def fitting(path: Path, size: tuple[int, int]) -> tuple[int, int]:
    """The size a film is drawn at: videos store colours for two by two pixels, so odd sides get one pixel more."""
    return size if is_numbered(path) else tuple(side + side % 2 for side in size)


def frame_rate(text: str) -> Fraction:
    """Pictures per second, of '60', '59.94' (which means 60000/1001) or '30000/1001'. Raises ValueError."""
    try:
        rate = Fraction(text)
    except (ValueError, ZeroDivisionError):
        rate = Fraction(0)
    if not 0 < rate <= FASTEST:
        raise ValueError(f"'{text}' is not a number of frames per second, above 0 and up to {FASTEST}")
    television = Fraction(1000 * round(rate * 1001 / 1000), 1001)
    return television if rate.denominator != 1 and abs(rate - television) < ROUNDED else rate.limit_denominator(1001)


def frame_count(duration: float, rate: Fraction, speed: float) -> int:
    """Frames that show `duration` simulated seconds at `speed` simulated seconds per second of film; at least one."""
    return max(1, round(duration / speed * rate))
