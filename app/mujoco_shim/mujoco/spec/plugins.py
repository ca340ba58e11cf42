"""Plugins as values: they can be named and configured, and refused when a model with one is compiled."""
from __future__ import annotations

from .elements import MjsElement
from .fields import fresh, give_fields


class MjsPlugin(MjsElement):
    """A plugin's instance, or what an element says of one."""

    KIND = "plugin"

    @classmethod
    def blank(cls) -> MjsPlugin:
        """What an element without plugin has."""
        new = object.__new__(cls)
        new._begin(None, fresh("plugin"))
        new._config = {}
        return new

    @property
    def config(self) -> dict:
        """Settings of the instance by name."""
        return self.__dict__.setdefault("_config", {})

    @config.setter
    def config(self, value: dict) -> None:
        self.__dict__["_config"] = dict(value)

    @property
    def name(self) -> str:
        """Of the instance."""
        return self._values["name"]

    @name.setter
    def name(self, value: str) -> None:
        self._values["name"] = value

    def take(self, other: MjsPlugin) -> None:
        """All that another one says."""
        if not isinstance(other, MjsPlugin):
            raise TypeError("a plugin is wanted")
        self._values.update(other._values)
        self.config = other.config

    def copied(self) -> MjsPlugin:
        """Another one with the same values."""
        new = MjsPlugin.blank()
        new.take(self)
        return new


give_fields(MjsPlugin, "plugin")
