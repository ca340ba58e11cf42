"""Processed meshes, kept."""
from __future__ import annotations

from physics.compiler.mesh_data import MeshData, MeshWish
from physics.compiler.mesh_process import process


def processed(source, wish: MeshWish) -> MeshData:
    """The processed mesh of a source (key, reader)."""
    return process(source[1](), wish)
