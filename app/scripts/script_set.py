"""All scripts of a window: opened, loaded, watched, switched on and off; what of them is called where.

    add / take --> a thread loads the file --post--> functions are installed in the physics thread (SetHooks)
    file saved --> loaded again, values of controls kept; what does not load leaves the version before running

All methods are for one thread, the window's; `post(function)` has a function called in it from another.
"""
from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from app.scripts.declared import Control, Declared
from app.scripts.drawing import Drawing, Markers, owner_of
from app.scripts.loading import Loaded, LoadError, load
from app.scripts.script import Script
from app.scripts.siblings import SiblingFinder
from editor.watcher import Watcher
from physics.runtime import commands
from physics.runtime.hooks.call_guard import CallGuard
from physics.runtime.hooks.hook import Hook, Hooks

SUFFIX = ".py"


class ScriptSet:
    """send(command), latest(key, command): to the physics thread. say(level, text): to the log.

    markers: what they draw into, None: nowhere. scripts: in the order of their calls. stopped: the user has stopped them all, until they are reloaded. on_changed: called when anything is otherwise than before;
    on_loaded: called with each script that was loaded.
    """

    def __init__(self, send: Callable[[object], None], latest: Callable[[object, object], None], post: Callable[[Callable[[], None]], None], say: Callable[[str, str], None]):
        self._send, self._latest, self._post, self._say = send, latest, post, say
        self.scripts: list[Script] = []
        self.entries: list[Path] = []
        self.guard = CallGuard()
        self.drawing = Drawing(say, self._changed)
        self.markers: Markers | None = None
        self.stopped = self._closed = False
        self.on_changed: list[Callable[[], None]] = []
        self.on_loaded: list[Callable[[Script], None]] = []
        self._finders: dict[Path, SiblingFinder] = {}
        self._watcher: Watcher | None = None
        self._loads = 0

    # ------------------------------------------------------------------ which there are

    def add(self, path: Path, off: Iterable[str] = (), values: dict | None = None) -> bool:
        """Open a file, or all of a folder's whose names do not begin with _; False, and a line in the log, where there is none. One that is open is loaded again.

        off: names of files that are not to be on; values: {name of a file: {name of a control: value}}.
        """
        path = Path(path).absolute()
        if path in self.entries:
            self.reload()
            return True
        if not path.exists():
            self._say("error", f"There is no script {path}")
            return False
        files = files_of(path)
        if not files:
            self._say("error", f"{path} has no Python files" if path.is_dir() else f"{path.name} is no Python file (.py)")
            return False
        self.stopped = False
        self.entries.append(path)
        off, values = set(off), values or {}
        self._take_in([Script(file, path, file.name not in off, values.get(file.name)) for file in files])
        return True

    def _take_in(self, fresh: list[Script]) -> None:
        self.scripts = sorted([*self.scripts, *fresh], key=lambda script: (self.entries.index(script.entry), script.path))
        self._watch()       # before they are read: what is written meanwhile is told
        for script in fresh:
            if script.on:
                self._load(script)
        self._changed()

    def remove(self, entry: Path) -> None:
        """Forget a file, or a folder with all of its files."""
        if entry in self.entries:
            self.entries.remove(entry)
            self._drop([script for script in self.scripts if script.entry == entry])
            self._install()
            self._watch()
            self._changed()

    def _drop(self, scripts: list[Script]) -> None:
        for script in scripts:
            self.scripts.remove(script)
            self._unload(script)
        folders = {script.path.parent for script in self.scripts}
        for folder in self._finders.keys() - folders:
            self._finders.pop(folder).remove()

    def _unload(self, script: Script) -> None:
        script.keep_values()
        script.version = -1
        if script.guard is not None:
            script.guard.stop()
            script.guard = None
        if script.loaded is not None:
            sys.modules.pop(script.loaded.module.__name__, None)
            script.loaded = None
            self._clear(script)
        script.failure = None

    def _clear(self, script: Script) -> None:
        """Take away what a script has drawn."""
        if self.markers is not None:
            self.markers.clear(owner_of(script))

    def set_on(self, script: Script, on: bool) -> None:
        """Switch one on, which loads it, or off."""
        if on == script.on:
            return
        script.on = on
        if on:
            self._load(script)
        else:
            self._unload(script)
            self._install()
        self._watch()
        self._changed()

    def reload(self) -> None:
        """Load all that are on again, with all that they import from their folders; stopped ones run again."""
        self.stopped = False
        for finder in self._finders.values():
            finder.forget()
        self.rescan()
        for script in self.scripts:
            if script.on:
                self._load(script)
        self._changed()

    def rescan(self) -> None:
        """Look for files that have come into a folder, or have left it."""
        known = {script.path for script in self.scripts}
        there = {file: entry for entry in self.entries if entry.is_dir() for file in files_of(entry)}
        gone = [script for script in self.scripts if script.entry != script.path and script.path not in there]
        if gone:
            self._drop(gone)
            self._install()
        fresh = [Script(file, entry) for file, entry in there.items() if file not in known]
        if gone or fresh:
            self._take_in(fresh)

    def stop(self) -> None:
        """End what is being called, wherever it hangs, and call nothing more until `reload`."""
        self.stopped = True
        self.guard.stop()
        self.drawing.guard.stop()
        for script in self.scripts:
            if script.guard is not None:
                script.guard.stop()
        self._install()
        for script in self.scripts:
            self._clear(script)
        self._changed()

    # ------------------------------------------------------------------ loading

    def _load(self, script: Script) -> None:
        """Have a thread execute the file."""
        self._loads += 1
        script.version = version = self._loads
        if script.guard is not None:
            script.guard.stop()
        script.guard = guard = CallGuard()
        declared = Declared(self._send, self._say_for(script), script.keep_values(), None if self.markers is None else self.markers.owner(owner_of(script)))
        finder = self._finders.setdefault(script.path.parent, SiblingFinder(script.path.parent))
        name = f"linkwork_script_{self._loads}_{script.path.stem}"

        def execute() -> None:
            try:
                found: Loaded | LoadError = load(script.path, name, declared, finder, guard)
            except LoadError as error:
                found = error
            self._post(lambda: self._loaded(script, version, found))

        threading.Thread(target=execute, name=f"load {script.name}", daemon=True).start()

    def _loaded(self, script: Script, version: int, found: Loaded | LoadError) -> None:
        if self._closed or version != script.version:   # removed, or loaded anew meanwhile
            if isinstance(found, Loaded):
                sys.modules.pop(found.module.__name__, None)
            return
        script.guard = None
        if isinstance(found, LoadError):
            script.failure = found.failure
            still = "; the version before runs on" if script.loaded is not None else ""
            where = "" if found.failure.file == str(script.path) else f"{script.name}: "
            self._say("error", f"{where}{found.failure}{still}")
        else:
            if script.loaded is not None:
                sys.modules.pop(script.loaded.module.__name__, None)
                self._clear(script)
            script.loaded, script.failure = found, None
            if found.note:
                self._say("warning", f"{script.name}: {found.note}")
            self._install((script,))
            for listener in self.on_loaded:
                listener(script)
        self._watch()
        self._changed()

    def _install(self, fresh: tuple[Script, ...] = ()) -> None:
        """Have the physics thread call what there is now; on_load of those that are fresh at once."""
        on = [] if self.stopped else [script for script in self.scripts if script.loaded is not None and script.on]
        hooks = Hooks([hook for script in on for hook in script.hooks if hook.kind != "draw"], self.guard)
        self._send(commands.SetHooks(hooks, tuple(hook for script in fresh if (hook := script.hook("on_load")) is not None)))
        self.drawing.choose([(script, hook) for script in on if (hook := script.hook("draw")) is not None])

    def _say_for(self, script: Script) -> Callable[[str, str], None]:
        return lambda level, text: self._post(lambda: self._say(level, f"{script.name}: {text}"))

    def _changed(self) -> None:
        for listener in self.on_changed:
            listener()

    # ------------------------------------------------------------------ the disk

    def _watch(self) -> None:
        files = {script.path for script in self.scripts} | {file for finder in self._finders.values() for file in finder.names.values()}
        if self._watcher is None and files:
            self._watcher = Watcher(lambda paths: self._post(lambda: self._files_changed(paths)))
        if self._watcher is not None:
            self._watcher.watch(files)

    def _files_changed(self, paths: set[Path]) -> None:
        if self._closed:
            return
        folders = {folder for folder, finder in self._finders.items() if paths & set(finder.names.values())}
        for folder in folders:      # who shares a module is loaded again with it
            self._finders[folder].forget()
        for script in self.scripts:
            if script.on and (script.path in paths and script.path.exists() or script.path.parent in folders):
                self._load(script)
        self._changed()

    # ------------------------------------------------------------------ calls

    def press(self, hook: Hook) -> None:
        """A button was pressed."""
        self._send(commands.RunHook(hook, (), hook.takes == 2))

    def set_value(self, control: Control, value: Any) -> None:
        """The user has moved a control."""
        self._latest(("script value", id(control)), commands.SetHookValue(control, value))

    @property
    def keys(self) -> frozenset[str]:
        """Keys that scripts take for themselves."""
        return frozenset(button.keys for script in self._active() for button in script.loaded.declared.buttons if button.keys)

    def key_pressed(self, key: str) -> bool:
        """Tell all scripts of a key ('K', 'Shift+Up'); whether one of them has taken it for itself."""
        claimed = False
        for script in self._active():
            for button, hook in zip(script.loaded.declared.buttons, script.loaded.buttons, strict=True):
                if button.keys == key:
                    claimed = True
                    self.press(hook)
            self._call(script, "on_key", key)
        return claimed

    def selected(self, elements: tuple) -> None:
        """Tell all scripts what is selected now."""
        for script in self._active():
            self._call(script, "on_select", elements)

    def _call(self, script: Script, kind: str, argument: object) -> None:
        hook = script.hook(kind)
        if hook is not None:
            self._send(commands.RunHook(hook, (argument,), hook.takes == 3))

    def _active(self) -> list[Script]:
        return [] if self.stopped else [script for script in self.scripts if script.on and script.loaded is not None]

    def hanging(self) -> tuple[str, float] | None:
        """What has been called and has not come back yet, in words, and for how many seconds; None where nothing is under way."""
        under_way = self.guard.under_way()
        if under_way is not None:
            return f"{under_way[0].kind} of {under_way[0].owner}", under_way[1]
        loads = [(found[1], script) for script in self.scripts if script.guard is not None and (found := script.guard.under_way()) is not None]
        return max(((f"the text of {script.name}", seconds) for seconds, script in loads), key=lambda pair: pair[1], default=None)

    # ------------------------------------------------------------------ remembering

    def record(self) -> list | None:
        """What is open, with its values, as plain values; None where nothing is."""
        found = []
        for entry in self.entries:
            mine = [script for script in self.scripts if script.entry == entry]
            values = {script.name: dict(kept) for script in mine if (kept := script.keep_values())}
            found.append({"path": str(entry), "off": [script.name for script in mine if not script.on], "values": values})
        return found or None

    def take(self, record: object) -> None:
        """Open what was recorded, and nothing else; what of it is damaged is left out."""
        for entry in list(self.entries):
            self.remove(entry)
        for one in record if isinstance(record, list) else ():
            if isinstance(one, dict) and isinstance(one.get("path"), str):
                off, values = one.get("off"), one.get("values")
                kept = {name: value for name, value in values.items() if isinstance(value, dict)} if isinstance(values, dict) else {}
                self.add(Path(one["path"]), [str(name) for name in off] if isinstance(off, list) else (), kept)

    def close(self) -> None:
        """End what hangs, forget all, watch nothing."""
        self._closed = True
        self.guard.stop()
        self.drawing.close()
        self.entries = []
        self._drop(list(self.scripts))
        if self._watcher is not None:
            self._watcher.close()


def files_of(entry: Path) -> list[Path]:
    """The scripts that a file or folder stands for."""
    if entry.is_dir():
        return sorted(file for file in entry.glob(f"*{SUFFIX}") if file.is_file() and not file.name.startswith(("_", ".")))
    return [entry] if entry.suffix == SUFFIX else []
