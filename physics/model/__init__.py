"""Model and Data: the structs that kernels read, and what Python sees of them. Model, Data and Batch are handed on."""
from importlib import import_module
from types import MappingProxyType

_HOMES = MappingProxyType({"Model": "model", "_restored": "model", "Data": "data", "Batch": "data"})   # _restored: for pickles of Models of before


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module 'physics.model' has no attribute {name!r}")
    return getattr(import_module(f"physics.model.{_HOMES[name]}"), name)
