"""What the commands about recordings share."""
from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from app.headless.outcome import Failed


def load_recording(path: Path, states: bool = True):
    """The Recording of a file. Raises Failed."""
    from physics.recording import file
    from physics.recording.errors import RecordingError

    if not path.is_file():
        raise Failed(f"{path}: there is no such file")
    try:
        return file.load(path, states=states)
    except RecordingError as why:
        raise Failed(str(why)) from None
    except OSError as why:
        raise Failed(f"{path}: the file cannot be read: {why.strerror or why}") from None


@contextmanager
def prepared_recording(path: Path) -> Iterator[tuple]:
    """(Recording, Prepared): with its Models loaded and all of it checked. Raises Failed."""
    from physics.recording.errors import RecordingError
    from physics.runtime.recorded.restore import prepare

    recording = load_recording(path)
    with tempfile.TemporaryDirectory(prefix="linkwork-") as folder:
        try:
            prepared = prepare(recording, Path(folder), compile_texts)
        except RecordingError as why:
            raise Failed(str(why.at(str(path)))) from None
        except OSError as why:
            raise Failed(f"{folder} cannot be written: {why.strerror or why}") from None
        yield recording, prepared


def compile_texts(texts: Mapping[str, str]):
    """A Model of the texts that a recording holds, main first. Raises ModelError."""
    from physics.compiler.compile import compile_root
    from physics.mjcf import reader

    main = next(iter(texts))
    return compile_root(reader.read_text(texts[main], name=main, base_dir=str(Path(main).parent), files=dict(texts)), stand_ins=True)


def size_text(size: int) -> str:
    """Bytes for people."""
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.1f} kB"
