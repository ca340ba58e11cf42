"""What a film shall be."""
from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from app.film.formats import FilmError, check_film, check_size, fitting


@dataclass(frozen=True, slots=True)
class FilmPlan:
    """What is recorded. size [pixel]; rate: frames per second of film; speed: simulated seconds per second of film; encoding: one of
    formats.ENCODINGS; labels, caption (time and speed), transparent: what is on the pictures; camera: one of the model's by number, -2 for the
    free one as it is now, None: always what the window looks through; limit: seconds of film after which it ends, 0 none; codec: an encoder's
    name in place of the format's own."""

    path: Path
    size: tuple[int, int] = (1280, 720)
    rate: Fraction = Fraction(30)
    speed: float = 1.0
    encoding: str = "good"
    labels: bool = True
    caption: bool = False
    transparent: bool = False
    camera: int | None = None
    limit: float = 0.0
    codec: str | None = None

    def checked(self) -> FilmPlan:
        """This plan. Raises FilmError where it cannot be carried out."""
        check_film(self.path, self.transparent)
        check_size(*self.size)
        if not self.speed > 0:
            raise FilmError(f"{self.path}: a film's speed must be above 0")
        return self

    @property
    def drawn_size(self) -> tuple[int, int]:
        """The size of the pictures."""
        return fitting(self.path, self.size)
