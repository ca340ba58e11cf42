"""One window that shows what a script simulates: made as any other, with a PassiveRunner in place of the physics thread, and without what means nothing there."""
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from PyQt6.QtCore import QEvent, QObject, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent

from app.controllers.companions import NO_COMPANIONS
from app.passive.answers import Answers
from app.passive.exchange import ViewExchange
from app.passive.framed_painter import FramedPainter
from app.passive.key_codes import glfw_code
from app.passive.link import ScriptLink
from app.passive.markers import replay
from app.passive.window_opening import Opening
from app.program import Program
from app.viewport.corner_texts import CornerText
from physics.runtime.passive.runner import PassiveRunner
from physics.runtime.passive.shared_states import SharedStates

_FILES = "This window shows the model of a script; other models are opened by the command linkwork"
_TEXT = "The model of a script has no text"
_HISTORY = "A script keeps no history that one could go back in"
_SPEED = "The script says how fast time passes"
_RECORDING = "A script's run is not recorded: run the model in a window of its own, or write down in the script what you need"
_HOOKS = "The script steps: what is to be called around a step is called there"
IDLE: Mapping[str, str] = MappingProxyType({
    **dict.fromkeys(("new", "new_window", "open", "open_file", "open_in_new_window"), _FILES), **dict.fromkeys(("save", "revert", "reload", "apply", "go_to_text"), _TEXT),
    **dict.fromkeys(("step_back", "step_back_ten", "loop", "play_forward", "play_backward", "add_bookmark", "next_bookmark", "previous_bookmark", "region_from",
                                                             "region_to", "clear_region"), _HISTORY), **dict.fromkeys(("slower", "faster", "full_speed"), _SPEED),
    **dict.fromkeys(("save_recording", "report", "open_whole_run"), _RECORDING), **dict.fromkeys(("open_recording", "open_left_recording"), _FILES),
    **dict.fromkeys(("open_script", "open_scripts", "reload_scripts", "stop_scripts"), _HOOKS), **dict.fromkeys(("start_companion", "stop_companions"), NO_COMPANIONS),
    "record": "A film's pictures are of exact times, at which a script cannot be stopped: draw them in the script (docs/python.md)",
})     # actions that do nothing here, and why


class ScriptWindow(QObject):
    """`received` takes what the link has read, in the GUI thread. opened: the model is shown; gone: the window is closed."""

    received = pyqtSignal(object)

    def __init__(self, program: Program, link: ScriptLink, opening: Opening):
        super().__init__()
        self._program, self._link, self._opening = program, link, opening
        self.runner = PassiveRunner(link.do, link.taken, lambda: link.tell("quiet"))
        self.runner.states = SharedStates.opened(opening.states) if opening.states else None
        self.application = program.make_window(self.runner)
        self._make_idle()
        self.answers = Answers(self.application, link)
        self.framed = FramedPainter()
        self.application.viewport.painters.append(self.framed.paint)
        self.exchange = ViewExchange(self.application, lambda told: link.tell("view", told))
        if opening.keys:
            self.application.viewport.host.installEventFilter(self)
        self.received.connect(self._take)
        self.application.context.model_changed.connect(self._opened)

    # ------------------------------------------------------------------ opening

    def show(self) -> None:
        """Open it, with the model and its first state."""
        application, opening = self.application, self._opening
        window = application.window
        window.restore()
        title = f"{opening.name} ({opening.script})" if opening.script else opening.name
        self._program.loader.model_compiled(opening.model)
        application.session.show_model(opening.model, title)
        self.runner.arrive(opening.news)
        window.show()
        window.activateWindow()
        leave_sides(window, opening.left, opening.right)

    def _make_idle(self) -> None:
        """Switch off what means nothing here, each with its reason."""
        for action_id, action in self.application.actions.items():
            reason = IDLE.get(action_id) or (_SPEED if action_id.startswith("speed_") else "")
            if reason:
                action.setEnabled(False)
                action.setProperty("reason", reason[0].lower() + reason[1:])
                action.setToolTip(reason)
        timeline = self.application.window.timeline
        for widget, reason in ((timeline.axis, _HISTORY), (timeline.speed, _SPEED), (self.application.files.recent_menu, _FILES)):
            widget.setEnabled(False)
            widget.setToolTip(reason)

    def _opened(self, _model) -> None:
        self.application.context.model_changed.disconnect(self._opened)
        if self._opening.view:
            self.exchange.take(self._opening.view)
        self._link.tell("opened", {**self.exchange.now(), "states": self.runner.states is not None})
        self._opening = None    # nobody needs it any more

    # ------------------------------------------------------------------ what arrives

    def arrived(self, message: tuple) -> None:
        """In the reading thread."""
        word, *what = message
        if word == "news":
            news, told = what
            self.runner.arrive(news)
            if told:
                self.received.emit(("told", told))
        else:
            self.received.emit(message)

    def _take(self, message: tuple) -> None:
        word, *what = message
        if word == "told":
            self._told(*what)
        elif word == "kernels":
            self._program.loader.start()
        elif word == "ask" and self.application in self._program.windows:
            self.answers.ask(*what)
        elif word == "close" and self.application in self._program.windows:
            self.application.files.may_leave = lambda: True
            self.application.window.close()

    def _told(self, told: dict) -> None:
        if self.application not in self._program.windows:   # closed meanwhile
            return
        context = self.application.context
        if "view" in told:
            self.exchange.take(told["view"])
        if "texts" in told:
            self.application.overlay.corner_texts = tuple(CornerText(*one) for one in told["texts"])
        if "images" in told:
            self.framed.set_images(told["images"])
        if "figures" in told:
            self.framed.figures = told["figures"]
        if "geoms" in told or "calls" in told:
            try:
                replay(context, told.get("geoms"), told.get("calls", ()))
            except Exception as error:      # a script may draw anything
                context.log("error", f"user_scn: {error}")
        if "assets" in told:
            self._change_assets(told["assets"])
        self.application.viewport.refresh()

    def _change_assets(self, fields: dict[str, np.ndarray]) -> None:
        """Pixels, vertices or heights, which nobody compares."""
        model = self.application.context.model
        for name, value in fields.items():
            getattr(model, name)[...] = value
        self.application.viewport.model_fields_changed(tuple(fields))

    # ------------------------------------------------------------------ keys

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and not event.isAutoRepeat():     # comes before a key is taken for a shortcut
            code = glfw_code(event.key(), bool(event.modifiers() & Qt.KeyboardModifier.KeypadModifier))
            if code >= 0:
                self._link.tell("key", code)
        return False


def leave_sides(window, left: bool, right: bool) -> None:
    """Close the panels of a side where a script wants none there; what it arranges so is not remembered for the windows of later days."""
    for side, wanted in (("left", left), ("right", right)):
        if not wanted and window.layout_of_docks.open_docks(side):
            window.workspaces.toggle_side(side)
    window.remembers = left and right
