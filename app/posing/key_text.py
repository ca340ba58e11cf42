"""Keyframes in the text of a model: a <key> element put into the section <keyframe>, or in place of the one of that name. No Qt.

The text stays as it is everywhere else. What stands in comments does not count.
"""
from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from physics.files.text_codec import LINE_ENDS, line_end
from physics.model.model import Model
from physics.query.keyframes import Keyframe

DIGITS = 9
LEFT_OUT = re.compile(r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>", re.DOTALL)
SECTION = re.compile(r"<keyframe\b[^>]*?(/?)>")
KEY = re.compile(r"<key\b(?:[^>\"']|\"[^\"]*\"|'[^']*')*?(?:/>|>\s*</key\s*>)")
NAME = re.compile(r"\bname\s*=\s*(\"([^\"]*)\"|'([^']*)')")
WIDE = 110      # characters of an element on one line


class Written(NamedTuple):
    """The new text, and the line (counted from 1) of the element in it."""

    text: str
    line: int


def key_xml(m: Model, key: Keyframe, name: str, indent: str = "") -> str:
    """A <key> element of a keyframe, without what is as it is by default: qvel, act and ctrl of zeros, mocap poses of the Model."""
    from xml.sax.saxutils import quoteattr      # which imports much, and at the start every import counts

    start = Keyframe.start(m)
    parts = [f"name={quoteattr(name)}"] if name else []
    parts += [f'time="{key.time:.{DIGITS}g}"'] if key.time else []
    for field, attribute in (("qpos", "qpos"), ("qvel", "qvel"), ("act", "act"), ("ctrl", "ctrl"), ("mocap_pos", "mpos"), ("mocap_quat", "mquat")):
        values = np.ravel(getattr(key, field))
        if values.size and not np.array_equal(values, np.ravel(getattr(start, field))):
            parts.append(f'{attribute}="{" ".join(f"{v + 0.0:.{DIGITS}g}" for v in values.tolist())}"')
    line = f"{indent}<key {' '.join(parts)}/>"
    return line if len(line) <= WIDE else f"{indent}<key " + f"\n{indent}     ".join(parts) + "/>"


def find_key(text: str, name: str, place: tuple[int, int] | None = None) -> re.Match | None:
    """The <key> of this name; one without a name is found by the place (line, column, counted from 1) where it begins. None where there is none."""
    for found in KEY.finditer(_without_comments(text)):
        if name_in(found[0]) == name and (name or place == (_line(text, found.start()), found.start() - _line_start(text, found.start()) + 1)):
            return found
    return None


def write_key(text: str, m: Model, key: Keyframe, name: str, place: tuple[int, int] | None = None) -> Written:
    """The text with a keyframe: in place of the <key> that find_key finds, else at the end of the section <keyframe>, else with such a section at the end. Lines that are
    written end as most of the text's do.

    Raises ValueError where the text has no </mujoco>.
    """
    seen, eol = _without_comments(text), line_end(text)
    there = find_key(text, name, place)
    if there is not None:
        indent = _indent_at(text, there.start())
        element = key_xml(m, key, name, indent).lstrip().replace("\n", eol)
        return Written(text[:there.start()] + element + text[there.end():], _line(text, there.start()))
    section = None
    for section in SECTION.finditer(seen):
        pass
    if section is None:
        return _with_section(text, seen, m, key, name)
    indent = _indent_at(text, section.start())
    element = key_xml(m, key, name, indent + "  ").replace("\n", eol)
    if section[1]:      # <keyframe/>
        opened = text[section.start():section.end() - 2].rstrip() + ">"
        made = f"{opened}{eol}{element}{eol}{indent}</keyframe>"
        return Written(text[:section.start()] + made + text[section.end():], _line(text, section.start()) + 1)
    end = seen.find("</keyframe", section.end())
    if end < 0:
        raise ValueError("the section <keyframe> has no end: mend the text first")
    before = text[:end].rstrip(" \t")
    gap = "" if before.endswith(LINE_ENDS) else eol
    return Written(f"{before}{gap}{element}{eol}{indent}{text[end:]}", _line(before + gap, len(before) + len(gap)))


def _with_section(text: str, seen: str, m: Model, key: Keyframe, name: str) -> Written:
    end = seen.rfind("</mujoco")
    if end < 0:
        raise ValueError("the text has no </mujoco> before which a section <keyframe> could stand")
    indent = _indent_at(text, end)
    before = text[:end].rstrip(" \t")
    eol = line_end(text)
    gap = "" if before.endswith(LINE_ENDS) else eol
    inner = indent + "  "
    section = f"\n{inner}<keyframe>\n{key_xml(m, key, name, inner + '  ')}\n{inner}</keyframe>\n".replace("\n", eol)
    return Written(f"{before}{gap}{section}{indent}{text[end:]}", _line(before + gap, len(before) + len(gap)) + 2)


def name_in(element: str) -> str:
    """The name that a tag has."""
    found = NAME.search(element)
    if found is None:
        return ""
    value = found[2] if found[2] is not None else found[3]
    return value.replace("&quot;", '"').replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _without_comments(text: str) -> str:
    """Blanks in place of what does not count; of the same length, so that places are those of the text."""
    return LEFT_OUT.sub(lambda found: re.sub(r"[^\r\n]", " ", found[0]), text)


def _indent_at(text: str, at: int) -> str:
    start = _line_start(text, at)
    return text[start:at] if not text[start:at].strip() else ""


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + text.count("\r", 0, at) - text.count("\r\n", 0, at) + 1
