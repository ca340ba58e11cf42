"""The folders from which a model's assets are read, as its <compiler> says.

Meshes, height fields and skins: below meshdir, pictures: below texturedir, of the model's folder; assetdir stands for both; strippath takes the folders in front of a file's name away.
Source: MuJoCo XML reference, `compiler`: meshdir, texturedir, assetdir, strippath; what several <compiler>s come to was found by trying.
"""
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from physics.spec.element import Element

__all__ = ["FOLDERS", "AssetFolders"]

FOLDERS = MappingProxyType({"mesh": "meshdir", "hfield": "meshdir", "skin": "meshdir", "flexcomp": "meshdir", "texture": "texturedir", "layer": "texturedir"})  # element -> attribute


class AssetFolders(NamedTuple):
    """What <compiler> says of them, as written; None where it does not say."""

    meshdir: str | None = None
    texturedir: str | None = None
    strippath: str | None = None

    @classmethod
    def of(cls, root: Element | None) -> AssetFolders:
        """Of a model, which may have several <compiler>s."""
        found = cls()
        for compiler in root.all("compiler") if root is not None else ():
            found = found.then(compiler.attrs)
        return found

    def then(self, attrs: Mapping[str, str]) -> AssetFolders:
        """With what one more <compiler> says, which counts before those that stand before it: an assetdir also before the folders that they name."""
        every = attrs.get("assetdir")
        said = {"meshdir": every, "texturedir": every} | {name: attrs[name] for name in self._fields if name in attrs}
        return self._replace(**{name: value for name, value in said.items() if value is not None})

    @property
    def strips(self) -> bool:
        """Whether files are looked for by their name alone."""
        return self.strippath == "true"

    def file_name(self, name: str) -> str:
        """The name by which a file is looked for that is written so."""
        name = name.replace("\\", "/")
        return name.rpartition("/")[2] if self.strips else name

    def below(self, tag: str) -> str:
        """The folder of the files of an element, from that of the model, with forward slashes; '' for that itself, as of elements whose files are not looked for by <compiler>."""
        name = FOLDERS.get(tag)
        return ((getattr(self, name) or "") if name is not None else "").replace("\\", "/")
