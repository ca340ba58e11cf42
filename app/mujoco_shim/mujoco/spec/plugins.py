"""Plugins as values: they can be named and configured, and refused when a model with one is compiled."""
from __future__ import annotations

from .elements import MjsElement
from .fields import give_fields


class MjsPlugin(MjsElement):
    """A plugin's instance."""

    KIND = "plugin"

    @property
    def config(self) -> dict:
        """Settings of the instance by name."""
        return self.__dict__.setdefault("_config", {})

    @config.setter
    def config(self, value: dict) -> None:
        self.__dict__["_config"] = dict(value)


give_fields(MjsPlugin, "plugin")
