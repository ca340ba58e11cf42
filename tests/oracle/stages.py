"""Stage by stage agreement of the two engines at one state (docs/agreement.md, 'stages').

Both engines are given the same state and asked for a forward pass; a stage's value is the largest `rel` over its fields. A stage whose
fields an engine does not compute yet is None ('not computed'), never skipped. Contacts are matched by their geoms and position first.
efc_state is left out: with islands the official array is in another order than its rows; the forces show the same.
"""
import numpy as np

from tests.oracle.compare import rel
from tests.oracle.engines import CONTACT_FIELDS, INTEGRATED, INVERSE_FIELDS, OFFICIAL, OURS, SENSOR_STAGES, Answer, ask
from tests.oracle.states import State

PLAIN_FIELDS = (
    ("kinematics", ("xpos", "xquat", "xmat", "xipos", "ximat", "xanchor", "xaxis", "geom_xpos", "geom_xmat", "site_xpos", "site_xmat",
                    "cam_xpos", "cam_xmat", "light_xpos", "light_xdir")),
    ("com", ("subtree_com", "cinert", "cdof")),
    ("tendon", ("ten_length", "ten_J")),
    ("transmission", ("actuator_length", "moment")),
    ("inertia", ("M",)),
    ("factor", ("qLD", "qLDiagInv")),
    ("velocity", ("cvel", "cdof_dot", "ten_velocity", "actuator_velocity")),
    ("passive", ("qfrc_spring", "qfrc_damper", "qfrc_passive")),
    ("bias", ("qfrc_bias",)),
    ("actuation", ("actuator_force", "qfrc_actuator", "act_dot")),
    ("qacc_smooth", ("qfrc_smooth", "qacc_smooth")),
    ("qacc", ("qacc", "qfrc_constraint")),
    ("energy", ("energy",)),
)
ROW_FIELDS = (
    ("efc_rows", ("efc_J", "efc_type", "efc_id", "efc_pos", "efc_margin", "efc_frictionloss", "efc_diagA", "efc_vel")),
    ("reference", ("efc_aref", "efc_R", "efc_D")),
    ("efc_force", ("efc_force",)),
)
STAGES = ("kinematics", "com", "tendon", "transmission", "inertia", "factor", "collision", "efc_rows", "velocity", "passive", "bias",
          "actuation", "qacc_smooth", "reference", "qacc", "efc_force", "integrate", "sensors_pos", "sensors_vel", "sensors_acc",
          "energy", "inverse")
SOLVER_STAGES = ("qacc", "efc_force", "integrate")
ROUNDING = 4 * np.finfo(float).eps
PENDING: dict[str, str] = {}
_PLAIN = tuple(name for _stage, names in PLAIN_FIELDS for name in names)
_ROWS = tuple(name for _stage, names in ROW_FIELDS for name in names if name != "efc_J")


def limit(stage: str) -> float:
    """Largest rel a stage may have: 1e-9, and 1e-8 where an iterative solver has a say."""
    return 1e-8 if stage in SOLVER_STAGES else 1e-9


def compare(ours_model, official_model, state: State) -> tuple[dict, int, int]:
    """({stage: rel or None}, ncon, nefc) at `state`; both models should have their tolerances at 0."""
    official = answer(OFFICIAL, official_model, state)
    found = dict.fromkeys(STAGES, 0.0)
    for stage, _field, value in differences(answer(OURS, ours_model, state, official.qacc), official):
        found[stage] = max(found[stage], value)
    return found, official.ncon, official.nefc


def partly(ours_model, official_model, state: State) -> tuple[int, dict]:
    """(contacts that only one engine has, {stage: rel over what both have}) at `state`, for where contacts do not match."""
    official = answer(OFFICIAL, official_model, state)
    ours = answer(OURS, ours_model, state, official.qacc)
    found = dict.fromkeys(STAGES, 0.0)
    for stage, _field, value in differences(ours, official, partial=True):
        found[stage] = max(found[stage], value)
    return ours.ncon + official.ncon - 2 * len(matched_contacts(ours, official)), found


def answer(engine, model, state: State, qacc=None) -> Answer:
    """All fields of the stages that `engine` computes at `state`."""
    return ask(engine, model, state, _PLAIN, _ROWS, qacc)


def differences(one: Answer, two: Answer, partial: bool = False) -> list[tuple[str, str, float]]:
    """(stage, field, rel) of every field of every stage, `two` being the official one; see pairs."""
    return [(stage, field, np.inf if a is None else rel(a, b)) for stage, field, a, b in pairs(one, two, partial)]


def pairs(one: Answer, two: Answer, partial: bool = False):
    """(stage, field, value of one, value of two) of every field of every stage.

    The first value is None where contacts or rows do not match; with `partial` contacts that only one of them has are left out instead.
    """
    for stage, names in PLAIN_FIELDS:
        for name in names:
            yield stage, name, _known(one, two) if name == "energy" else one.plain[name], two.plain[name]
    match = matched_contacts(one, two)
    whole = len(match) == one.ncon == two.ncon
    order, their_order = _columns(match if whole or partial else None)
    for name in CONTACT_FIELDS:
        yield "collision", name, *_chosen(one.contact[name], two.contact[name], order, their_order)
    rows = _matched_rows(one, two, match)
    whole &= rows is not None and len(rows) == one.nefc == two.nefc
    order, their_order = _columns(rows if whole or partial else None)
    for stage, names in ROW_FIELDS:
        for name in names:
            mine = _renumbered(one, match) if name == "efc_id" else one.row[name]
            yield stage, name, *_chosen(mine, two.row[name], order, their_order)
    for stage, _number in SENSOR_STAGES:
        yield stage, stage, one.sensors[stage], two.sensors[stage]
    for name in INVERSE_FIELDS:
        yield "inverse", name, one.inverse[name], two.inverse[name]
    for name in ("time", *INTEGRATED):
        yield "integrate", name, one.after[name], two.after[name]


def _known(one: Answer, two: Answer) -> np.ndarray:
    """one's energy, but two's where they differ by less than the rounding of the terms that it is a sum of."""
    mine, theirs = one.plain["energy"], two.plain["energy"]
    return np.where(np.abs(mine - theirs) <= ROUNDING * two.energy_terms, theirs, mine)


def _columns(match):
    return (None, None) if match is None else np.array(match, int).reshape(-1, 2).T


def _chosen(mine, theirs, order, their_order) -> tuple:
    return (None, theirs) if order is None else (mine[order], theirs[their_order])


def matched_contacts(one: Answer, two: Answer) -> list[tuple[int, int]]:
    """(contact of one, contact of two) for those with the same geoms, the nearest ones first choice, in two's order."""
    our_geom, our_pos = one.contact["geom"], one.contact["pos"]
    geom, pos = two.contact["geom"], two.contact["pos"]
    free, found = set(range(len(our_geom))), []
    for i in range(len(geom)):
        same = [k for k in free if tuple(our_geom[k]) == tuple(geom[i])]
        if same:
            best = min(same, key=lambda k: (float(np.abs(our_pos[k] - pos[i]).sum().round(9)), abs(k - i)))
            free.remove(best)
            found.append((best, i))
    return found


def _matched_rows(one: Answer, two: Answer, match):
    """(row of one, row of two): rows before the contacts in place, contact rows with their contact. None where those before differ in number."""
    spans = [_spans(answer) for answer in (one, two)]
    before = [min((start for start, _length in span.values()), default=answer.nefc) for span, answer in zip(spans, (one, two))]
    if before[0] != before[1]:
        return None
    found = [(i, i) for i in range(before[0])]
    for k, i in match:
        if k in spans[0] and i in spans[1] and spans[0][k][1] == spans[1][i][1]:
            found.extend((spans[0][k][0] + j, spans[1][i][0] + j) for j in range(spans[1][i][1]))
    return sorted(found, key=lambda pair: pair[1])


def _spans(answer: Answer) -> dict[int, tuple[int, int]]:
    """{contact: (first row, number of rows)} of those that have rows."""
    address = answer.contact["efc_address"]
    starts = sorted(a for a in address if a >= 0) + [answer.nefc]
    return {i: (int(a), int(starts[starts.index(a) + 1] - a)) for i, a in enumerate(address) if a >= 0}


def _renumbered(one: Answer, match) -> np.ndarray:
    """one's efc_id, with two's numbers where it is a contact's: the order of contacts of a pair is nobody's promise."""
    names, numbers = dict(match), np.array(one.row["efc_id"])
    for contact, (start, length) in _spans(one).items():
        if (numbers[start:start + length] == contact).all():
            numbers[start:start + length] = names.get(contact, -1)
    return numbers
