"""Edits change nothing else: `./test.sh --long editing [FOLDER ...] [--edits N] [--seed S] [--fuzz STEPS] [--json FILE] [--again]`.

Every XML file of the open corpus and of the wheels (wheels.py), or of these folders, and made twins of each (CRLF, mixed ends of lines, tabs, single quotes, entities, comments
everywhere, CDATA, byte order mark, UTF-16 of both kinds, no last line end). In each some attributes are changed, one at a time, and the file is saved: its bytes must be those of
before but for that value, and what they read as the tree with that value. So they are changed by the inspector's own edits (editor/inspect), number by number: no other word of a
list may change. Elements are put in, taken out and moved: the text must read as the tree that was wanted. In the end everything is undone, and the bytes must be those of the file.
Then edit_fuzz.py makes its steps. A run that was broken off goes on where it ended.
"""
import argparse
import json
import random
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import MappingProxyType

from editor.document import SourceFile
from editor.edits.attribute_patches import attribute_patches
from editor.edits.element_patches import NewElement, insert_before, insert_last, removal
from editor.edits.history import History
from editor.edits.patch import Edit, apply, inverse
from editor.edits.version import Version
from editor.inspect.edits import set_component, set_text
from editor.inspect.rows import Row, rows
from editor.inspect.subject import Reading, Subject
from editor.inspect.values import dragged, step_of
from physics.files.text_codec import MARKS, UTF_8, TextCodec, decode, encode
from physics.mjcf.xml import parse_xml
from physics.schema.numbers import parse
from physics.spec import tree
from physics.spec.diff import same_content
from physics.spec.element import Element
from tests.editor.edits.moves import move_patches
from tests.long.edit_fuzz import fuzzed
from tests.long.wheels import fetched
from tests.oracle.corpus import corpus_dir, has_corpus

VALUES = ("0.125", "1 2 3", "a & b < c", "it's \"quoted\"", "")
NEW = NewElement("site", {"name": "made here", "pos": "0 0 1"})
KEPT = 12       # faults that are printed


def _mixed(text: str) -> str:
    ends = iter(range(10**9))
    return re.sub("\n", lambda _m: ("\n", "\r\n", "\n", "\r")[next(ends) % 4], text)


def _between_tags(text: str, what: str) -> str:
    """Something behind each tag that holds others or none; not in texts between tags."""
    return re.sub(r"(?<=>)(\s*)(?=<(?![!?/]))", lambda found: found[1] + what + found[1], text)


TWINS: tuple[tuple[str, Callable[[str], str], TextCodec], ...] = (
    ("as it is", lambda text: text, UTF_8),
    ("CRLF", lambda text: text.replace("\n", "\r\n"), UTF_8),
    ("CR", lambda text: text.replace("\n", "\r"), UTF_8),
    ("mixed ends", _mixed, UTF_8),
    ("tabs", lambda text: re.sub(r"^( +)", lambda found: "\t" * ((len(found[1]) + 1) // 2), text, flags=re.MULTILINE), UTF_8),
    ("single quotes", lambda text: re.sub(r'="([^"\']*)"', r"='\1'", text), UTF_8),
    ("entities", lambda text: re.sub(r'="([^"&]*?)(\w)"', lambda found: f'="{found[1]}&#{ord(found[2])};"', text), UTF_8),
    ("comments", lambda text: _between_tags(text, "<!-- <body name='no'/> > -->"), UTF_8),
    ("CDATA", lambda text: _between_tags(text, "<![CDATA[ <geom/> ]]>"), UTF_8),
    ("byte order mark", lambda text: text, MARKS[0]),
    ("UTF-16", lambda text: re.sub(r"<\?xml[^>]*\?>", "", text), TextCodec(b"\xff\xfe", "utf-16-le")),
    ("UTF-16, big end first", lambda text: re.sub(r"<\?xml[^>]*\?>", "", text), TextCodec(b"\xfe\xff", "utf-16-be")),
    ("no last end", lambda text: text.rstrip(), UTF_8),
)


def spaced(old: str, value: str) -> str:
    """A value as it is written over an old one: white space between words stays, where there are as many and none of them needs an entity."""
    words = value.split()
    if len(words) != len(old.split()) or not words or set(value) & set("&<'\""):
        return value
    return "".join(part if k % 2 == 0 else words[k // 2] for k, part in enumerate(re.split(r"(\S+)", old)))


def spaced_alike(element: Element) -> Element:
    """The same with one space between the numbers of a list."""
    attrs = {name: " ".join(value.split()) if re.fullmatch(r"[\s\d.eE+-]*", value) else value for name, value in element.attrs.items()}
    return element.with_changes(attrs=MappingProxyType(attrs), children=tuple(map(spaced_alike, element.children)))


def read(text: str) -> Element | None:
    """The tree of one file, its includes as elements of it."""
    return parse_xml(text, "a", [], lambda include: (include,))


class Edited:
    """A file that is edited and saved. faults: what was not as it should be."""

    def __init__(self, path: Path, data: bytes):
        self.path, self.data = path, data
        path.write_bytes(data)
        self.file = SourceFile.read(path)
        self.history, self.faults, self.count = History(), [], Counter()

    def do(self, label: str, patches: tuple, wanted: Element) -> tuple[bytes, bytes]:
        """Apply, save, and compare what is read; (bytes before, bytes after)."""
        edit, before = Edit(label, patches), self.path.read_bytes()
        texts = {"a": self.file.text}
        self.history.add(edit, inverse(edit, texts), float(len(self.history.entries)))
        self._take(edit)
        after = self.path.read_bytes()
        found = read(decode(after)[0])
        if label == "move" and found is not None:       # numbers that stand in columns are indented with their tag
            found, wanted = spaced_alike(found), spaced_alike(wanted)
        if found is None or not same_content(found, wanted):
            self.faults.append(f"{label}: the file reads as another tree")
        self.count[label] += 1
        return before, after

    def _take(self, edit: Edit) -> None:
        self.file.text = {"a": self.file.text, **apply({"a": self.file.text}, edit)}["a"]
        if self.file.modified:
            self.file.save()

    def attribute(self, rng: random.Random, root: Element) -> None:
        """Change one value: the bytes in front of it and behind it stay."""
        element = rng.choice([one for one in root.walk() if one.attrs])
        name, value = rng.choice(sorted(element.attrs)), rng.choice(VALUES)
        start, end = element.origin.attr_spans[name][:2]
        text = self.file.text
        written = value if "&" in text[start:end] else spaced(element.attrs[name], value)
        wanted = tree.set_attribute(root, tree.locate(root, element.id), name, written)
        before, after = self.do("attribute", attribute_patches(text, element, {name: value}), wanted)
        codec = self.file.codec
        head, tail = codec.mark + text[:start].encode(codec.codec), text[end:].encode(codec.codec)
        if not (after.startswith(head) and after.endswith(tail) and before.startswith(head) and before.endswith(tail)):
            self.faults.append(f"attribute {name} of {element.tag}: other bytes changed too")

    def inspected(self, rng: random.Random, root: Element, base: Path) -> None:
        """Change one value as the inspector does: the bytes in front of its word and behind it stay."""
        text, codec = self.file.text, self.file.codec
        version = Version.of({"a": text}, "a", str(base))
        if version.root is None or version.root.tag == "robot":
            return
        reading = Reading(version)
        known = [one for one in version.root.walk() if one.origin.file == "a" and one.attrs and reading.path(one) is not None]
        element = rng.choice(known) if known else None
        subject = reading.subject([element.id]) if element is not None else None
        given = [row for row in rows(subject) if row.own and row.words and row.name != "class"] if subject is not None else []
        if not given:
            return
        row = rng.choice(given)
        try:
            name, index, edit = self._inspector_edit(rng, subject, row)
        except ValueError:      # an edit of before has left what is no value of the language
            self.count["inspector: refused"] += 1
            return
        if edit is None or not edit.patches:
            self.count["inspector: nothing to change"] += 1
            return
        start, end = element.origin.attr_spans[name][:2]
        words = list(re.finditer(r"\S+", text[start:end]))
        half = bool(parse(subject.spec.attributes[name], element.attrs[name])[1])       # a list of too few numbers, as edits of before leave it: it is made whole
        if index is not None and not half and index < len(words) == len(element.attrs[name].split()) and "&" not in text[start:end]:
            start, end = start + words[index].start(), start + words[index].end()
        made = Version.of({"a": apply({"a": text}, edit)["a"]}, "a", str(base), version.ids).element(element.id)
        where = next(one for one in root.walk() if one.origin.start == element.origin.start)
        wanted = tree.set_attribute(root, tree.locate(root, where.id), name, made.attrs[name]) if name in made.attrs else tree.set_attribute(root, tree.locate(root, where.id),
            name, None)
        before, after = self.do("inspector", edit.patches, wanted)
        head, tail = codec.mark + text[:start].encode(codec.codec), text[end:].encode(codec.codec)
        if name in made.attrs and not (after.startswith(head) and after.endswith(tail) and before.startswith(head) and before.endswith(tail)):
            self.faults.append(f"inspector: {name} of {element.tag}: other bytes changed too")

    @staticmethod
    def _inspector_edit(rng: random.Random, subject: Subject, row: Row) -> tuple[str, int | None, Edit | None]:
        """(attribute, number of the word or None, edit) of some other value that the language allows."""
        name = row.notation or row.name
        if row.kind in ("number", "vector", "colour", "orientation"):
            own = subject.active.attrs.get(name, "").split()
            if not own:
                return name, None, None
            index = rng.randrange(min(len(own), len(row.words)))
            return name, index, set_component(subject, row, index, lambda word: dragged(row.spec, word, rng.randint(1, 40), step_of(row.spec, word)))
        if row.kind in ("switch", "keyword"):
            return name, None, set_text(subject, name, rng.choice([word for word in row.allowed if word != row.words[0]]))
        if row.kind in ("text", "file", "reference"):
            return name, None, set_text(subject, name, rng.choice(("other", "a & b < c", "it's \"quoted\"", "\u00e4\u4e2d")))
        return name, None, None

    def structure(self, rng: random.Random, root: Element) -> None:
        """Put an element in, take one out, or move one."""
        inner = [one for one in root.walk() if one is not root]
        if not inner:
            return
        element, target, text = rng.choice(inner), rng.choice(inner), self.file.text
        where, to = tree.locate(root, element.id), tree.locate(root, target.id)
        new = Element(0, NEW.tag, MappingProxyType(dict(NEW.attrs)))
        kind = rng.choice(("insert before", "insert last", "remove", "move"))
        if kind == "insert before":
            self.do(kind, (insert_before(text, element, NEW),), tree.insert(root, where[:-1], where[-1], new))
        elif kind == "insert last":
            self.do(kind, (insert_last(text, element, NEW),), tree.insert(root, where, len(element.children), new))
        elif kind == "remove":
            self.do(kind, (removal(text, element, rng.random() < 0.5),), tree.remove(root, where))
        elif to[:len(where)] != where:
            place = to[-1] - (to[:-1] == where[:-1] and where[-1] < to[-1])
            self.do(kind, move_patches({"a": text}, element, before=target), tree.move(root, where, to[:-1], place))

    def undo_all(self) -> None:
        """Everything taken back: the bytes are those of the file."""
        while (back := self.history.undo()) is not None:
            self._take(back)
        if self.path.read_bytes() != self.data:
            self.faults.append("undo: other bytes than before")


def judge(path: Path, folder: Path, edits: int, seed: int) -> Iterator[tuple[str, Edited | None]]:
    """(name of the twin, what came of it; None for one that is no XML) of each twin of a file."""
    try:
        text = decode(path.read_bytes())[0]
    except OSError:
        return
    for name, change, codec in TWINS:
        twin = change(text)
        data = path.read_bytes() if name == "as it is" else encode(twin, codec)[0]
        rng = random.Random(f"{seed} {path.name} {name}")
        if read(decode(data)[0]) is None:
            yield name, None
            continue
        edited = Edited(folder / "edited.xml", data)
        for k in range(edits):
            root = read(edited.file.text)
            if root is None or not any(one.attrs for one in root.walk()):
                break
            if k % 3 == 1:
                edited.inspected(rng, root, path.parent)
            else:
                (edited.structure if k % 3 == 2 else edited.attribute)(rng, root)
        edited.undo_all()
        yield name, edited


def row_of(path: Path, edits: int, seed: int) -> dict:
    """What came of one file: twins, edits of each kind, twins that are no XML, values edited, faults of each kind."""
    row = {"edits": edits, "seed": seed, "twins": 0, "count": Counter(), "no XML": [], "faults": []}
    with tempfile.TemporaryDirectory() as name:
        try:
            for twin, edited in judge(path, Path(name), edits, seed):
                if edited is None:
                    row["no XML"].append(twin)
                    continue
                row["twins"] += 1
                row["count"].update(edited.count)
                row["faults"] += [f"{path} ({twin}): {fault}" for fault in edited.faults]
        except Exception:
            row["faults"].append(f"{path}: {traceback.format_exc()}")
    return row


def summed(judged: dict[str, dict]) -> dict:
    """The figures of all files; what the closing notes quote first."""
    count, left_out = Counter(), Counter()
    for row in judged.values():
        count.update(row["count"])
        left_out.update(row["no XML"])
    faults = [fault for row in judged.values() for fault in row["faults"]]
    values, twins = count["attribute"] + count["inspector"], sum(row["twins"] for row in judged.values())
    undone = sum(": undo: " in fault for fault in faults)
    return {"files": len(judged), "twins": twins, "only_that_value": values - sum("other bytes changed too" in fault for fault in faults), "values": values,
            "undo_same_bytes": twins - undone, "count": dict(count), "no XML": dict(left_out), "faults": faults}


def arguments_of(arguments) -> argparse.Namespace:
    """What the proof can be told."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--edits", type=int, default=9, help="of each file and twin")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fuzz", type=int, default=10_000, help="steps of edit_fuzz afterwards; 0: none")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="time after which no further file is begun")
    parser.add_argument("--json", type=Path, default=Path("editing.json"))
    parser.add_argument("--again", action="store_true", help="judge anew what the JSON has already")
    return parser.parse_args(arguments)


def main(arguments=None) -> int:
    given = arguments_of(arguments)
    folders = given.folders or [*([corpus_dir()] if has_corpus() else []), *fetched()]
    files = sorted({path for folder in folders for path in folder.rglob("*.xml")})
    if given.seconds < float("inf"):
        random.Random(given.seed).shuffle(files)        # what is left out is of all folders
    judged = json.loads(given.json.read_text())["rows"] if given.json.exists() and not given.again else {}
    begun = time.monotonic()
    for path in files:
        known = judged.get(str(path))
        if known is not None and (known["edits"], known["seed"]) == (given.edits, given.seed):
            continue
        if time.monotonic() - begun > given.seconds:
            break
        row = judged[str(path)] = row_of(path, given.edits, given.seed)
        print(*row["faults"][:KEPT], sep="\n", end="\n" if row["faults"] else "", flush=True)
        given.json.write_text(json.dumps({"rows": judged}))
    result = {**summed(judged), "fuzz_steps": 0, "fuzz_bad": 0}
    if given.fuzz:
        fuzz = fuzzed(given.fuzz, given.seed)
        result |= {"fuzz_steps": fuzz["steps"], "fuzz_bad": len(fuzz["wrong"]), "faults": [*result["faults"], *fuzz["wrong"]]}
    left = sum(str(path) not in judged for path in files)
    given.json.write_text(json.dumps({**result, "left": left, "rows": judged}))
    print({**result, "faults": len(result["faults"]), "left": left})
    return 1 if result["faults"] or not judged else 0


if __name__ == "__main__":
    sys.exit(main())
