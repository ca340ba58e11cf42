"""What is made from files of assets, kept on disk: where, and which state of the compiler made it.

Where the folder cannot be used, nothing is kept. Folder: $LINKWORK_MESH_CACHE, else `meshes` in $LINKWORK_CACHE or in the user's cache folder for linkwork.
"""
from __future__ import annotations

import logging
import os
from functools import lru_cache

from physics.files import code_state, disk_cache
from physics.files.private_folder import make_private, refuse_shared
from physics.kernels.load import cache_dir

CODE = ("physics.compiler.", "physics.rotation.")   # packages whose files decide what is made
_log = logging.getLogger(__name__)


def folder() -> str:
    """Where files are kept. Raises OSError."""
    return os.environ.get("LINKWORK_MESH_CACHE") or os.path.join(cache_dir(), "meshes")


class AssetCache:
    """The folder for what some modules make, '' where it cannot be used; `key` begins every name in it.

    Others than this user must not be able to write there: what is read becomes part of a model. Then, and where the code's state cannot be told,
    nothing is read or kept, and the log says so once.
    """

    def __init__(self, *made_by: str):
        self.folder, self.key, reason = "", "", ""
        self._saved = False
        try:
            self.folder, self.key = folder(), code_state.code_state(made_by, CODE)
            reason = refuse_shared(self.folder)
        except OSError:
            pass   # no place for it, as on a disk that may only be read
        except code_state.NoSource as missing:
            reason = f"the source of {missing} is not there, so nothing would tell when it changed"
        if reason:
            self.folder = ""
            _tell(reason)

    def load(self, name: str):
        """The bytes kept under a name, None where there are none."""
        return disk_cache.load(os.path.join(self.folder, name)) if self.folder else None

    def save(self, name: str, *pieces) -> None:
        """Keep these bytes, where that is possible."""
        if not self.folder:
            return
        try:
            make_private(self.folder)
            disk_cache.save(os.path.join(self.folder, name), *pieces)
            self._saved = True
        except OSError:
            pass   # nothing depends on it

    def finish(self) -> None:
        """Make room for what was saved."""
        if self._saved:
            disk_cache.prune(self.folder)
            self._saved = False


@lru_cache(maxsize=16)   # once a process
def _tell(reason: str) -> None:
    _log.warning("meshes and images are not kept on disk: %s", reason)
