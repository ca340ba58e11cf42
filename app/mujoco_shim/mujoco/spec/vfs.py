"""MjVfs: files in memory by name."""
from __future__ import annotations


class MjVfs:
    """Files by name, until it is closed."""

    def __init__(self, files=()):
        self._files: dict[str, bytes] | None = dict(files)

    def _open(self) -> dict[str, bytes]:
        if self._files is None:
            raise RuntimeError("VFS is closed")
        return self._files

    def close(self) -> None:
        """Forget the files."""
        self._files = None

    def __enter__(self) -> MjVfs:
        return self

    def __exit__(self, *_error) -> None:
        self.close()

    def __setitem__(self, name: str, data: bytes) -> None:
        self._open()[name] = data if isinstance(data, bytes | str) else bytes(data)

    def __getitem__(self, name: str) -> bytes:
        return self._open()[name]

    def __delitem__(self, name: str) -> None:
        del self._open()[name]

    def __contains__(self, name: str) -> bool:
        return name in self._open()

    def __iter__(self):
        return iter(self._open())

    def __len__(self) -> int:
        return len(self._open())


def files_of(vfs: MjVfs | None) -> dict[str, bytes]:
    """Its files; none for None. Raises RuntimeError for one that is closed."""
    return {} if vfs is None else dict(vfs._open())
