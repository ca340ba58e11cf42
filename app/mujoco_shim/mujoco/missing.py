"""What stands in the place of official names that are not here: nothing happens until somebody uses one, and then its name is told."""
from __future__ import annotations

import sys
from types import ModuleType


class NotHereError(NotImplementedError, AttributeError):
    """An official name that is not here was used. An AttributeError too, so that `hasattr` and inspection go on."""


def text_of(name: str) -> str:
    """What the error says."""
    return f"mujoco.{name} is not in Linkwork's compatibility module; `linkwork exec --names SCRIPT` lists all that a script uses and is not here"


def missing_function(name: str):
    """A function that raises when called."""

    def missing(*_arguments, **_named):
        raise NotHereError(text_of(name))

    missing.__name__ = missing.__qualname__ = name
    missing.__doc__ = text_of(name)
    return missing


class _Missing(type):
    """Classes that can be named in annotations, isinstance and bases, and raise when one is made or asked for a member."""

    def __call__(cls, *_arguments, **_named):
        raise NotHereError(text_of(cls.__name__))

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotHereError(text_of(f"{cls.__name__}.{name}"))


def missing_class(name: str) -> type:
    """A class that raises when one is made."""
    return _Missing(name, (), {"__doc__": text_of(name), "__module__": "mujoco"})


class MissingModule(ModuleType):
    """A module whose members raise when used."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        inside = f"{self.__name__.rpartition('.')[2]}.{name}"
        return missing_class(inside) if name[:1].isupper() else missing_function(inside)


def put_modules(package: str, names: tuple[str, ...]) -> dict[str, MissingModule]:
    """Have `import mujoco.viewer` and the like find such modules."""
    found = {}
    for name in names:
        module = MissingModule(f"{package}.{name}", text_of(name))
        module.__path__ = []
        found[name] = sys.modules.setdefault(module.__name__, module)
    return found
