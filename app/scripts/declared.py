"""What a script declares, in a line each: the object that it knows as `ui`.

    gain = ui.slider("gain", 0, 10, 2.0)        gain.value in any function
    on = ui.checkbox("on", True)                shape = ui.choice("shape", ("sine", "square"))
    @ui.button("Kick")                          def kick(m, d): ...
    @ui.key("K")                                the window's own action of that key waits while the script is on
    ui.plot("qpos[0]", "norm(qvel)")            a chart of these quantities
    ui.log("text")   ui.run()   ui.pause()   ui.reset()     ui.markers.arrow(...)      at any time

Values are changed between steps only, by commands; what a script assigns to one is shown in the panel.
"""
from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from physics.runtime import commands

LOGGED_A_SECOND = 20    # lines of one script


@dataclass(eq=False, slots=True)
class Slider:
    """A number from low to high."""

    name: str
    low: float
    high: float
    value: float
    start: float
    unit: str = ""


@dataclass(eq=False, slots=True)
class CheckBox:
    """A switch."""

    name: str
    value: bool
    start: bool


@dataclass(eq=False, slots=True)
class Choice:
    """One of several texts."""

    name: str
    values: tuple[str, ...]
    value: str
    start: str


Control = Slider | CheckBox | Choice


@dataclass(frozen=True, slots=True)
class Button:
    """Calls a function once. keys: of the keyboard where it is a key, '' for a button of the panel."""

    name: str
    function: Callable
    keys: str = ""


class Declared:
    """The `ui` of one script. controls, buttons and plots in the order of their lines.

    kept: values by name that an earlier load of the script had. send(command): to the physics thread. say(level, text): to the log. markers: the script's own.
    """

    def __init__(self, send: Callable[[object], None], say: Callable[[str, str], None], kept: Mapping[str, object], markers: Any = None):
        self._send, self._say, self._kept, self._markers = send, say, kept, markers
        self.controls: list[Control] = []
        self.buttons: list[Button] = []
        self.plots: list[tuple[str, ...]] = []
        self._closed = False
        self._second, self._said = float("-inf"), 0

    # ------------------------------------------------------------------ lines at the top of a script

    def slider(self, name: str, low: float, high: float, value: float | None = None, unit: str = "") -> Slider:
        """A number that the panel shows as a slider. Raises ValueError for an empty range, a value outside it, or a name that is there already."""
        low, high = float(low), float(high)
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise ValueError(f"slider '{name}': from {low:g} to {high:g} is no range")
        start = low if value is None else float(value)
        if not low <= start <= high:
            raise ValueError(f"slider '{name}': {start:g} is not between {low:g} and {high:g}")
        kept = self._kept.get(name)
        now = min(max(float(kept), low), high) if isinstance(kept, int | float) and math.isfinite(kept) else start
        return self._add(Slider(str(name), low, high, now, start, unit))

    def checkbox(self, name: str, value: bool = False) -> CheckBox:
        """A switch. Raises ValueError for a name that is there already."""
        kept = self._kept.get(name)
        return self._add(CheckBox(str(name), kept if isinstance(kept, bool) else bool(value), bool(value)))

    def choice(self, name: str, values: Sequence[str], value: str | None = None) -> Choice:
        """One of several texts, the first where none is given. Raises ValueError where there is nothing to choose from, or the value is none of them."""
        values = tuple(map(str, values))
        start = value if value is not None or not values else values[0]
        if start not in values:
            raise ValueError(f"choice '{name}': {value!r} is none of {', '.join(values) or 'nothing'}")
        kept = self._kept.get(name)
        return self._add(Choice(str(name), values, kept if kept in values else start, start))

    def button(self, name: str) -> Callable[[Callable], Callable]:
        """Decorator: the function (m, d), or without arguments, is called between two steps when the button is pressed."""
        return lambda function: self._add_button(Button(str(name), function), function)

    def key(self, keys: str) -> Callable[[Callable], Callable]:
        """Decorator: the same when a key ('K', 'Shift+Up') is pressed in the view, in place of what it does otherwise."""
        return lambda function: self._add_button(Button(str(keys), function, str(keys)), function)

    def plot(self, *texts: str) -> None:
        """A chart of these quantities (docs/quantities.md). Raises ValueError without any, and ExpressionError for a text that can be none in any model."""
        from physics.quantities.syntax import parse

        self._refuse_late("plot")
        if not texts:
            raise ValueError("plot: name a quantity, such as 'qpos[0]'")
        for text in texts:
            parse(text)
        self.plots.append(tuple(texts))

    # ------------------------------------------------------------------ at any time

    def log(self, text: object) -> None:
        """A line in the log; of more than LOGGED_A_SECOND in a second the rest is left out."""
        now = time.monotonic()
        if now - self._second >= 1.0:
            self._second, self._said = now, 0
        self._said += 1
        if self._said <= LOGGED_A_SECOND:
            self._say("info", str(text))
        elif self._said == LOGGED_A_SECOND + 1:
            self._say("warning", f"more than {LOGGED_A_SECOND} lines in a second; the rest of them is left out")

    @property
    def markers(self) -> Any:
        """Arrows, lines, texts, ... of the script's own, beside those of draw, with lifetimes. Raises RuntimeError in a window without."""
        if self._markers is None:
            raise RuntimeError("this window has no markers")
        return self._markers

    def run(self) -> None:
        """Let time pass."""
        self._send(commands.Run())

    def pause(self) -> None:
        """Stop the time, after the steps that are under way."""
        self._send(commands.Pause())

    def reset(self) -> None:
        """Back to the start state, after the steps that are under way."""
        self._send(commands.Reset())

    # ------------------------------------------------------------------ for who has loaded it

    def close(self) -> None:
        """The script has been loaded: from here on nothing more can be declared."""
        self._closed = True

    def values(self) -> dict[str, object]:
        """Present values by name, of those that are not at their start."""
        return {control.name: control.value for control in self.controls if control.value != control.start}

    def _refuse_late(self, what: str) -> None:
        if self._closed:
            raise RuntimeError(f"ui.{what} belongs at the top of the script, outside of its functions")

    def _add(self, control: Control) -> Control:
        self._refuse_late(type(control).__name__.lower())
        if any(other.name == control.name for other in self.controls):
            raise ValueError(f"there is a '{control.name}' already; names tell controls apart")
        self.controls.append(control)
        return control

    def _add_button(self, button: Button, function: Callable) -> Callable:
        self._refuse_late("key" if button.keys else "button")
        if not callable(function):
            raise TypeError(f"'{button.name}': what a button calls is a function")
        if any((other.name, other.keys) == (button.name, button.keys) for other in self.buttons):
            raise ValueError(f"there is a '{button.name}' already")
        self.buttons.append(button)
        return function
