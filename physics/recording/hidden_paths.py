"""A recording without the folders of the one who made it: in the texts' names, in the Models, in the log."""
from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from physics.errors import ModelError, Place
from physics.model import lwb
from physics.model.asset_record import AssetFile, AssetRecord
from physics.model.model import Model
from physics.recording.recording import RecordedModel, Recording


def hidden(recording: Recording, pairs: list[tuple[str, str]]) -> Recording:
    """The same with the first text of each pair replaced by the second. Raises OSError."""
    def without(text: str) -> str:
        for private, instead in pairs:
            text = text.replace(private, instead)
        return text

    words = MappingProxyType({name: without(value) for name, value in recording.settings.items()})
    about = MappingProxyType({name: without(value) for name, value in recording.about.items()})
    return replace(recording, models=tuple(_model(model, without) for model in recording.models), log=tuple(map(without, recording.log)), settings=words, about=about)


def _model(recorded: RecordedModel, without: Callable[[str], str]) -> RecordedModel:
    texts = MappingProxyType({without(path): text for path, text in recorded.texts.items()})
    with tempfile.TemporaryDirectory(prefix="linkwork-") as folder:
        path = Path(folder, "model.lwb")
        path.write_bytes(recorded.content())
        try:
            model = lwb.load(path)
        except ModelError:
            return replace(recorded, texts=texts)
        _hide(model, without)
        lwb.save(model, path, wait=False)
        return RecordedModel(recorded.number, path.read_bytes(), texts)


def _hide(model: Model, without: Callable[[str], str]) -> None:
    """In a Model of one's own."""
    model.source = [without(path) for path in model.source]
    model.places = {kind: tuple(place and Place(without(place.file), place.line, place.column) for place in places) for kind, places in model.places.items()}
    model.assets = {kind: tuple(record and _record(record, without) for record in records) for kind, records in model.assets.items()}


def _record(record: AssetRecord, without: Callable[[str], str]) -> AssetRecord:
    return record._replace(files={name: AssetFile(without(file.path), file.data) for name, file in record.files.items()})
