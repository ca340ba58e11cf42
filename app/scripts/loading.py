"""From a file to the functions of a script."""
from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from app.scripts.declared import Declared
from app.scripts.siblings import SiblingFinder
from physics.name_hints import closest_name
from physics.runtime.hooks.call_guard import CallGuard, Stopped
from physics.runtime.hooks.failure import Failure, failure_of
from physics.runtime.hooks.hook import Hook

BUTTON = "button"       # kind of the hook behind a button or key
HOOKS = ("on_load", "on_reset", "before_step", "control", "after_step", "on_key", "on_select", "draw")
# how many arguments a function is called with, the first that it takes: its own, and behind them (m, d), or (m, snapshot) for draw
TAKES: Mapping[str, tuple[int, ...]] = MappingProxyType({
    "on_load": (2,), "on_reset": (2,), "before_step": (2,), "control": (2,), "after_step": (2,), "on_key": (3, 1), "on_select": (3, 1), "draw": (3, 1), BUTTON: (2, 0),
})
WANTED = MappingProxyType({"on_key": "(key) or (key, m, d)", "on_select": "(elements) or (elements, m, d)", "draw": "(markers) or (markers, m, snapshot)",
                           BUTTON: "(m, d) or nothing"})


class LoadError(Exception):
    """A script could not be loaded. failure: why and where."""

    def __init__(self, failure: Failure):
        super().__init__(str(failure))
        self.failure = failure


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a file has given. hooks: by name of the function; buttons: those of Declared.buttons, in their order; draw among hooks, for whoever draws. files: the script
    and what it imports from its folder. note: what the user may want to know."""

    module: types.ModuleType
    declared: Declared
    hooks: Mapping[str, Hook]
    buttons: tuple[Hook, ...]
    files: tuple[str, ...]
    note: str = ""


def load(path: Path, module_name: str, declared: Declared, finder: SiblingFinder, guard: CallGuard) -> Loaded:
    """Execute a script's file as a module of this name, with `ui` in it. Raises LoadError."""
    try:
        source = path.read_bytes()
        code = compile(source, str(path), "exec", dont_inherit=True)
    except OSError as error:
        raise LoadError(Failure(f"the file cannot be read: {error.strerror or error}", str(path))) from None
    except (SyntaxError, ValueError) as error:
        raise LoadError(failure_of(error, [str(path)])) from None
    module = types.ModuleType(module_name)
    module.__file__, module.ui = str(path), declared
    finder.install()
    sys.modules[module_name] = module       # classes of the script are looked up by it
    try:
        guard.call(path.name, exec, code, module.__dict__)
    except BaseException as error:      # SystemExit too
        try:
            guard.settle()
        except Stopped:
            guard.settle()
        sys.modules.pop(module_name, None)
        raise LoadError(failure_of(error, [str(path), *map(str, finder.names.values())])) from None
    declared.close()
    files = (str(path), *map(str, finder.names.values()))
    try:
        hooks = {name: _hook(path, name, found, files) for name in HOOKS if (found := module.__dict__.get(name)) is not None}
        buttons = tuple(_hook(path, BUTTON, button.function, files, f"{BUTTON} {button.name}") for button in declared.buttons)
    except LoadError:
        sys.modules.pop(module_name, None)
        raise
    return Loaded(module, declared, MappingProxyType(hooks), buttons, files, _note(module, hooks, declared))


def _hook(path: Path, name: str, found: object, files: tuple[str, ...], said: str = "") -> Hook:
    """The hook of a function, which is called with as many arguments as it takes; said: its name in messages. Raises LoadError where it is none, or takes others."""
    code, said = getattr(found, "__code__", None), said or name
    file, line = (code.co_filename, code.co_firstlineno) if code is not None else (files[0], 0)
    wanted = WANTED.get(name, "(m, d)")
    if not callable(found):
        raise LoadError(Failure(f"{said} is to be a function {wanted}, not {type(found).__name__}", files[0]))
    if inspect.iscoroutinefunction(found) or inspect.isgeneratorfunction(found):
        raise LoadError(Failure(f"{said} is to be a plain function, without await and yield", file, line))
    count = _count(found, TAKES[name])
    if count < 0:
        raise LoadError(Failure(f"{'the function of ' if name == BUTTON else ''}{said} takes {wanted}", file, line))
    return Hook(path.name, said, found, files, count)


def _count(function: Callable, allowed: tuple[int, ...]) -> int:
    """The first of these numbers of arguments that a function takes, -1 where it takes none of them."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return allowed[0]
    for count in allowed:
        try:
            signature.bind(*range(count))
        except TypeError:
            continue
        return count
    return -1


def _note(module: types.ModuleType, hooks: Mapping[str, Hook], declared: Declared) -> str:
    """That nothing in a script is ever called, or that a name is nearly one that would be."""
    own = [name for name, value in module.__dict__.items() if inspect.isfunction(value) and value.__module__ == module.__name__ and name not in HOOKS]
    near = [(name, meant) for name in own if (meant := closest_name(name, HOOKS)) and meant not in hooks]
    if near:
        return f"{near[0][0]} is called by nobody; is {near[0][1]} meant?"
    return "" if hooks or declared.buttons or declared.controls or declared.plots else f"no function in it is called: {', '.join(HOOKS)}"
