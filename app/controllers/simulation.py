"""Running, pausing, stepping, speed and keyframes: what the Simulation menu does."""
from PyQt6.QtGui import QGuiApplication

from app.context import AppContext
from app.controllers.playback import BACKWARD, FORWARD, Playback
from app.controllers.run_state import RunState
from app.speeds import SPEEDS, STEPS, nearest_speed
from physics.runtime import commands
from physics.runtime.state_text import key_element

FULL_DIGITS = 16
DAMPING = "run/critical_damping"   # setting


class SimulationController:
    """Handlers of the simulation's actions. All send commands; nothing here touches Data."""

    def __init__(self, context: AppContext):
        self._context = context
        self.run_state = RunState(context)
        self.playback = Playback(context)
        context.settings.changed.connect(self._setting_changed)
        context.model_changed.connect(self._model_changed)
        self._setting_changed(DAMPING)
        self.speed: float | None = 1.0
        self.steps_per_picture: int | None = None   # in place of a speed
        self._speed_chosen = False   # by the user
        self._limited_speed = 1.0

    def _setting_changed(self, name: str) -> None:
        if name == DAMPING:
            self._context.runner.send(commands.SetCriticalDamping(bool(self._context.settings.get(DAMPING))))

    def _model_changed(self, model) -> None:
        """Another document runs: at the speed that it asks for (visual/global realtime), as in the official window. A speed that the user chose stays."""
        wanted = float(model.vis.global_.realtime)
        if self._context.newly_opened and not self._speed_chosen and wanted > 0:
            self._take_speed(SPEEDS[nearest_speed(wanted)])

    @property
    def running(self) -> bool:
        """Whether time passes, or is about to."""
        return self.run_state.shown

    def toggle_run(self, _checked: bool = False) -> None:
        """Start or pause; what is played of the history ends first."""
        played = self.playback.on
        self.playback.stop()
        self._send_run(not self.running and not played)

    def _send_run(self, on: bool) -> None:
        self._context.runner.send(commands.Run() if on else commands.Pause())
        self.run_state.expect(on)

    def _send_paused(self, command) -> None:
        """Send a command that pauses."""
        self.playback.stop()
        self._context.runner.send(command)
        self.run_state.expect(False)

    def step_forward(self, count: int | None = None) -> None:
        """Pause, then `count` steps on (1)."""
        self._send_paused(commands.Step(count or 1))

    def step_back(self, count: int | None = None) -> None:
        """Pause, then `count` entries back in the history (1)."""
        self._send_paused(commands.StepBack(count or 1))

    def scrub(self, index: int) -> None:
        """Pause and show an entry of the history by its index; negative counts from the newest."""
        self._show_entry(commands.Scrub(index))

    def scrub_to(self, number: int) -> None:
        """Pause and show an entry of the history by its number."""
        self._show_entry(commands.ScrubTo(number))

    def _show_entry(self, command) -> None:
        self.playback.stop()
        self._context.runner.latest("scrub", command)
        self.run_state.expect(False)

    def toggle_loop(self, checked: bool) -> None:
        """Show the history, or the region of the timeline, again and again, in the direction in which it is played; or stop there."""
        if not checked:
            self.playback.stop()
        elif self.playback.on:
            self.playback.loop(True)
        else:
            self._play(FORWARD, True)

    def play_forward(self, checked: bool) -> None:
        """Show what was simulated from here on, without simulating, or stop there."""
        self._play(FORWARD) if checked else self.playback.stop()

    def play_backward(self, checked: bool) -> None:
        """Show what was simulated backwards, or stop there."""
        self._play(BACKWARD) if checked else self.playback.stop()

    def _play(self, direction: int, loop: bool | None = None) -> None:
        self.playback.speed, self.playback.steps = self._limited_speed, self.steps_per_picture
        if self.playback.start(direction, loop):
            self.run_state.expect(False)

    def reset(self) -> None:
        """Back to the start state."""
        self.playback.stop()
        self._context.runner.send(commands.Reset())

    def load_key(self, key: int) -> None:
        """Back to a keyframe."""
        self.playback.stop()
        self._context.runner.send(commands.LoadKey(key))

    def save_key(self, key: int) -> None:
        """Overwrite a keyframe of the model in memory."""
        self._context.runner.send(commands.SaveKey(key))

    def clear_controls(self) -> None:
        """All controls to zero."""
        self._context.runner.send(commands.ClearCtrl())

    def set_speed(self, factor: float | None) -> None:
        """Simulated seconds per second, as the user wants it for all models from now on; None is as fast as possible."""
        self._speed_chosen = True
        self._take_speed(factor)

    def set_steps_per_picture(self, steps: int) -> None:
        """So many steps for each picture, in place of a speed, so that no state goes by unseen."""
        self._speed_chosen = True
        self.steps_per_picture = self.playback.steps = steps
        self._context.runner.send(commands.SetStepsPerPicture(steps))
        self._context.options_changed.emit()

    def _take_speed(self, factor: float | None) -> None:
        self.speed, self.steps_per_picture, self.playback.steps = factor, None, None
        if factor is not None:
            self._limited_speed = self.playback.speed = factor
        self._context.runner.send(commands.SetSpeed(factor))
        self._context.options_changed.emit()

    def change_speed(self, direction: int) -> None:
        """One entry up or down the list of speeds, or of steps for each picture."""
        if self.steps_per_picture is not None:
            near = min(range(len(STEPS)), key=lambda i: abs(STEPS[i] - self.steps_per_picture))
            self.set_steps_per_picture(STEPS[max(0, min(len(STEPS) - 1, near + direction))])
            return
        if self.speed is None:
            if direction < 0:
                self.set_speed(SPEEDS[-1])
            return
        self.set_speed(SPEEDS[max(0, min(len(SPEEDS) - 1, nearest_speed(self.speed) + direction))])

    def toggle_unlimited(self, checked: bool) -> None:
        """As fast as possible, or back to the speed before."""
        self.set_speed(None if checked else self._limited_speed)

    def copy_state(self, full: bool | None = None) -> None:
        """The present state as a <key> element on the clipboard; 16 digits when `full`."""
        snapshot = self._context.snapshot
        if snapshot is None:
            return
        QGuiApplication.clipboard().setText(key_element(snapshot, FULL_DIGITS if full else None))
        self._context.log("info", "State copied to the clipboard as a <key> element")
