"""Custom fields and keyframes."""
from __future__ import annotations

import numpy as np

from physics.enums import Engine, ObjType, SolverVariant
from physics.fields.hard_options import ENGINE_TEXT, HARD_NUMBERS, HARD_OPTIONS
from physics.model.state_fields import KEYFRAME
from physics.spec.names import OBJECT_NAMESPACE
from physics.writer.draft import Draft, Node
from physics.writer.rows import listing

COMPAT = "linkwork_compat"   # the text that asks for an older dialect; what is written needs none
SIDES = "linkwork_sidesites"   # the text that keeps the older rule for side sites of tendons
MARGINS = "linkwork_margins"   # the text that keeps the older rule for margins and gaps of two geoms
HFIELDS = "linkwork_hfields"   # the text that keeps the official search on height fields
SOLVER = "linkwork_solver"   # the text that asks for solvers as they were
_STATE = tuple(f.key.removeprefix("key_") for f in KEYFRAME if f.name != "time")   # qpos, ..., mquat


def write(draft: Draft) -> None:
    """The sections custom and keyframe."""
    for section in (_custom(draft), _keyframes(draft)):
        if section.children:
            draft.root.children.append(section)


def _variants(m) -> str:
    """The solver variants in force, as words."""
    return " ".join(bit.name.lower().replace("_", "-") for bit in SolverVariant if m.flg_variant & bit)


def _engine(m) -> str:
    """The engine that moves the model, as a word."""
    return Engine(m.opt_engine).name.lower()


def _hard_numbers(m) -> list[float]:
    """The hard engine's options, as many of them as differ from what is usual and those before."""
    values = [float(getattr(m, option.field)) for option in HARD_OPTIONS]
    while values and values[-1] == HARD_OPTIONS[len(values) - 1].usual:
        values.pop()
    return values


def _custom(draft: Draft) -> Node:
    m, section = draft.model, Node("custom")
    for k in range(m.nnumeric):
        data = m.numeric_data[m.numeric_adr[k]:m.numeric_adr[k] + m.numeric_size[k]]
        used = len(np.trim_zeros(data, "b"))
        if m.names["numeric"][k] == HARD_NUMBERS:
            data = _hard_numbers(m) or [HARD_OPTIONS[0].usual]
            used = len(data)    # the last of them may be 0
        size = str(len(data)) if used < len(data) else None
        draft.element(section, "custom/numeric", "numeric", k, {"size": size, "data": listing(data[:used]) or None})
    for k in range(m.ntext):
        text = bytes(m.text_data[m.text_adr[k]:m.text_adr[k] + m.text_size[k] - 1]).decode("utf-8", "replace")
        if m.names["text"][k] == COMPAT and text != "4.0":
            draft.warn(f"the model was read as version {text}; its text is that of 4.0")
            text = "4.0"
        if m.names["text"][k] == SOLVER:
            text = _variants(m)
        if m.names["text"][k] == ENGINE_TEXT:
            text = _engine(m)
        draft.element(section, "custom/text", "text", k, {"data": text})
    if m.flg_halfplane and SIDES not in m.names["text"]:
        section.add("custom/text", {"name": SIDES, "data": "2.3"})
    if m.flg_maxmargin and MARGINS not in m.names["text"]:
        section.add("custom/text", {"name": MARGINS, "data": "2.3"})
    if m.flg_hfieldvertex and HFIELDS not in m.names["text"]:
        section.add("custom/text", {"name": HFIELDS, "data": "official"})
    if m.flg_variant and SOLVER not in m.names["text"]:
        section.add("custom/text", {"name": SOLVER, "data": _variants(m)})
    if m.opt_engine != Engine.SOFT and ENGINE_TEXT not in m.names["text"]:
        section.add("custom/text", {"name": ENGINE_TEXT, "data": _engine(m)})
    if _hard_numbers(m) and HARD_NUMBERS not in m.names["numeric"]:
        section.add("custom/numeric", {"name": HARD_NUMBERS, "data": listing(_hard_numbers(m))})
    for k in range(m.ntuple):
        node = draft.element(section, "custom/tuple", "tuple", k, {})
        for item in range(m.tuple_adr[k], m.tuple_adr[k] + m.tuple_size[k]):
            word = ObjType(int(m.tuple_objtype[item])).name.lower()
            prm = float(m.tuple_objprm[item])
            node.add("custom/tuple/element", {"objtype": word, "objname": draft.refer(OBJECT_NAMESPACE[word], int(m.tuple_objid[item])),
                                              "prm": listing([prm]) if prm else None})
    return section


def _keyframes(draft: Draft) -> Node:
    m, section = draft.model, Node("keyframe")
    start = _initial(m)
    for k in range(m.nkey):
        attrs = {"time": listing(m.key_time[k]) if m.key_time[k] else None}
        for name in _STATE:
            row = getattr(m, "key_" + name)[k]
            attrs[name] = listing(row) if row.size and not np.array_equal(row, start[name]) else None
        draft.element(section, "keyframe/key", "key", k, attrs)
    return section


def _initial(m) -> dict[str, np.ndarray]:
    """What a keyframe has where its text gives nothing."""
    mocaps = np.flatnonzero(m.body_mocapid >= 0)
    return {"qpos": m.qpos0, "qvel": np.zeros(m.nv), "act": np.zeros(m.na), "ctrl": np.zeros(m.nu),
            "mpos": m.body_pos[mocaps].ravel(), "mquat": m.body_quat[mocaps].ravel()}
