"""A model compiled by us and by the official compiler: both refuse it, or both accept it and the fields named agree exactly."""
import mujoco
import numpy as np

from physics import ModelError, load, load_string


def ours(text=None, path=None):
    """Our Model, or the text of its errors."""
    try:
        return load(path) if path else load_string(text)
    except ModelError as error:
        return str(error)


def official(text=None, path=None):
    """The official model, or its error."""
    try:
        return mujoco.MjModel.from_xml_path(str(path)) if path else mujoco.MjModel.from_xml_string(text)
    except ValueError as error:
        return str(error)


def difference(fields, text=None, path=None) -> str:
    """'' where both agree, else what differs."""
    a, b = ours(text, path), official(text, path)
    if isinstance(a, str) or isinstance(b, str):
        return "" if isinstance(a, str) and isinstance(b, str) else f"ours: {a if isinstance(a, str) else 'ok'}, official: {b if isinstance(b, str) else 'ok'}"
    off = []
    for field in fields:
        mine, theirs = np.ravel(getattr(a, field)), np.ravel(np.frombuffer(bytes(b.text_data), np.uint8) if field == "text_data" else getattr(b, field))
        if field == "text_data":
            mine = mine[:len(theirs)]
        if mine.shape != theirs.shape or not np.array_equal(mine, theirs, equal_nan=mine.dtype.kind == "f"):
            off.append(f"{field}: {mine[:12]} is not {theirs[:12]}")
    return "; ".join(off)


def accepted(text=None, path=None) -> bool:
    """Whether the official compiler takes the model."""
    return not isinstance(official(text, path), str)


def differences(fields, texts) -> dict:
    """{text: what differs} of those that do."""
    return {text: off for text in texts if (off := difference(fields, text))}
