"""Numbers typed while something is dragged: digits, Backspace, Tab for the next axis."""
from __future__ import annotations

__all__ = ["TypedNumbers"]

LETTERS = "0123456789.-"


class TypedNumbers:
    """count: how many numbers a drag has (three along the axes, one angle). at: the one that is typed."""

    def __init__(self, count: int, at: int = 0):
        self.texts = [""] * count
        self.at = at

    @property
    def any(self) -> bool:
        """Whether there is a number."""
        return any(self.texts)

    def letter(self, letter: str) -> bool:
        """Type a digit, a point or a minus, which stands in front whenever it is typed; whether it is one of these."""
        if len(letter) != 1 or letter not in LETTERS:
            return False
        text = self.texts[self.at]
        if letter == "-":
            text = text[1:] if text.startswith("-") else "-" + text
        elif letter != "." or "." not in text:
            text += letter
        self.texts[self.at] = text
        return True

    def backspace(self) -> bool:
        """Take the last character away; whether there was one."""
        text = self.texts[self.at]
        self.texts[self.at] = text[:-1]
        return bool(text)

    def next(self) -> None:
        """Go on with the next number."""
        self.at = (self.at + 1) % len(self.texts)

    def value(self, k: int = 0) -> float | None:
        """What was typed for a number; None for nothing yet."""
        try:
            return float(self.texts[k])
        except ValueError:
            return 0.0 if self.texts[k] else None
