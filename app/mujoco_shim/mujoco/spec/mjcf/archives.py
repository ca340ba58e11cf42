"""A MjSpec in a zip file: its text and its assets."""
from __future__ import annotations

import os
import zipfile
from pathlib import PurePosixPath

from ..model_spec import MjSpec


def from_zip(file) -> MjSpec:
    """The MjSpec of the model in a zip file: the uppermost XML file of the name of the archive, else the first. Raises ValueError."""
    with zipfile.ZipFile(file) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    texts = sorted((name for name in files if name.endswith(".xml")), key=lambda name: (name.count("/"), name))
    if not texts:
        raise ValueError("the archive holds no XML file")
    stem = PurePosixPath(os.fspath(file) if isinstance(file, str | os.PathLike) else "").stem
    main = next((name for name in texts if PurePosixPath(name).stem == stem), texts[0])
    return MjSpec.from_string(files[main].decode(), include={name: data for name, data in files.items() if name in texts and name != main},
                              assets={name: data for name, data in files.items() if name not in texts})


def to_zip(spec: MjSpec, file) -> None:
    """Write a model's text and its assets into a zip file."""
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(f"{spec.modelname}.xml", spec.to_xml())
        for name, data in spec.assets.items():
            archive.writestr(name, data)
