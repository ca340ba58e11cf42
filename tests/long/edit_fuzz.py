"""Ten thousand edits of all kinds, undone and done again: `./test.sh --long edit_fuzz [--steps N] [--seed S] [--only NAME ...] [--json FILE]`.

Attributes and elements set, put in, taken out, moved and wrapped, gestures that end and that are given up, letters typed, also such that break the XML, undo, redo, jumps in the history, files that
another program writes, saves, reverts. After each step these agree:

- texts: with those that patches give which are made here, one character list at a time; after undo and redo with those that there were, byte for byte;
- tree: with a fresh reading of the same texts;
- ids: a tag whose '<' is still there has its id, and after undo and redo all have theirs again, no two the same;
- the compiled Model: with that of the fresh reading, field by field (small models: each step; large ones: every 50th);
- what is not saved, the disk, the last good tree where a text is broken, and, every 25 steps, what the journal on disk would give back after a crash.

Prints its figures, exits with 1 where anything differs or raises.
"""
import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

import numpy as np

from editor.autosave import read_copy
from editor.document import DiskChange, Document
from editor.edits.attribute_patches import attribute_patches
from editor.edits.element_patches import NewElement, insert_after, insert_before, insert_last, removal, wrapping
from editor.edits.gesture import Gesture
from editor.edits.patch import Edit, Patch
from editor.edits.tag_places import tag_places
from editor.edits.version import Version
from editor.journal import Journal
from physics.compiler.compile import compile_root
from physics.errors import ModelError
from physics.files.text_codec import encode
from physics.spec.diff import same_content
from tests.editor.edits.moves import move_patches
from tests.oracle.corpus import OURS, has_corpus, read_manifest, corpus_dir

TRICKY = {"m.xml": """<?xml version="1.0" encoding="utf-8"?>\r
<mujoco model="größer € 😀">\r
\t<default><default class="a"><geom rgba=".5 .5 1 1"/></default></default>\r
\t<worldbody>\r
\t\t<geom name='floor 😀' type="plane" size="2 2 .1"/><!-- 😀 <geom/> > -->\r
\t\t<body name="b&#97;ll" pos='0 0 1'>\r
\t\t\t<freejoint/>\r
\t\t\t<geom class="a"\r
\t\t\t      size=".1"\r
\t\t\t      mass="1"/>\r
\t\t</body>\r
\t\t<include file="part.xml"/>\r
\t</worldbody>\r
</mujoco>""", "part.xml": """<x>\r
  <body name="arm" pos="1 0 1">
    <joint name="j" axis="0 1 0"/>\r    <geom name="g" size=".05" fromto="0 0 0 0 0 -.5" type="capsule"/>
    <site name="s &lt; é"/>\r
  </body>
</x>
"""}
LARGE_NAMES = ("robot_soccer_kit", "dmc_rodent", "agility_cassie", "shadow_hand")
LARGE_EVERY, JOURNAL_EVERY = 50, 25
WORDS = ("<", ">", '"', "'", "&", "/>", "<geom size='.1'/>", "<!--", "-->", " ", "\n", "\r\n", "x", "é", "😀", "1", "</body>", "<body>", "0.5", "]]>", "\t")
VALUES = ("0.125", "1 2 3", ".3 .3 .3", "a & b < c", "it's \"quoted\" 😀", "0 0 1 0", "true")
NAMES = ("pos", "size", "rgba", "name", "quat", "mass", "damping", "axis", "group", "class", "margin")
TAME = {"pos": ("0 0 1", ".1 .2 .3", None), "rgba": ("1 0 0 1", ".5 .5 .5 .5", None), "mass": (".5", "2"), "damping": (".1", "1", None), "margin": (".01", None), "friction": ("1 .01 .01", None)}
TAME_TAGS = {"geom": ("pos", "rgba", "mass", "margin", "friction"), "body": ("pos",), "joint": ("damping", "margin"), "site": ("pos", "rgba")}     # what may be set in them
TAME_WORDS = ("<!-- é 😀 -->", " ", "\r\n", "\t", "\n  ")     # typed between tags
NEW = (NewElement("site", {"pos": "0 0 .1"}), NewElement("geom", {"size": ".05", "mass": ".1"}), NewElement("body", {"pos": "0 0 .2"}, (NewElement("geom", {"size": ".02"}),)))


def same(a: dict[str, str], b: dict[str, str]) -> bool:
    """Whether two have the same texts of the files that both have."""
    return all(a[key] == b[key] for key in a.keys() & b.keys())


class Wrong(AssertionError):
    """Something does not agree."""


class Fuzz:
    """One model in a folder of its own, edited at random."""

    def __init__(self, main: Path, rng: random.Random, every: int, folder: Path):
        """every: of how many steps one is compiled."""
        self.rng, self.every, self.count = rng, every, Counter()
        self.journal = Journal(folder / "unsaved")
        self.document = Document.open(main)
        for key in self.document.version().read.sources:
            if key != self.document.main_key:
                self.document.include(key)
        self.journal.follow(self.document)
        self.steps = self.broken_for = self.refused = 0     # refused: how long the text has had errors
        self.tame = True        # edits that a model survives, mostly
        self.label = ""
        self.texts = dict(self.document.texts())
        self.owners = {key: [None] * len(text) for key, text in self.texts.items()}
        self.past: list[tuple[dict, dict | None]] = [(dict(self.texts), None)]
        self.check()

    # ------------------------------------------------------------------ steps

    def step(self) -> None:
        """One edit, undo, redo ..., and all that must agree after it."""
        self.steps += 1
        rng, broken = self.rng, self.document.version().root is None or bool(self.document.version().read.broken)
        self.broken_for = self.broken_for + 1 if broken else 0
        kinds = ["attribute"] * 5 + ["insert", "remove", "move", "wrap"] * 2 + ["typing"] * 6 + ["paste", "gesture", "gesture", "disk", "disk", "save", "revert"] + ["undo"] * 5 + ["redo"] * 3 + ["jump"]
        kind = "mend" if self.broken_for > rng.choice((3, 8, 20)) or self.tame and self.refused > 2 else rng.choice(kinds)
        self.label = kind
        self.count[kind] += 1
        self.count["broken"] += broken
        getattr(self, f"_{kind}")()
        if self.document.version().root is not None:
            self.document.adopt(self.document.version().read.sources)
        self.refused = self.refused + 1 if self.document.version().read.errors else 0
        for key, text in self.document.all_texts().items():
            if key not in self.texts:       # included only now
                self.texts[key], self.owners[key] = text, [None] * len(text)
        self.check()

    def _elements(self, complete: bool = False):
        good = self.document.last_good
        known = good.complete if complete else good.whole
        return [one for one in good.root.walk() if one.origin.file in self.document.all_texts() and known(one.id)] if good.root is not None else []

    def _do(self, patches, merge=None) -> None:
        """An edit, and the same by character lists."""
        edit = Edit(self.label, tuple(patches), merge)
        before = self.document.history.position
        self.document.apply(edit)
        self._follow(edit)
        self._remember(before)

    def _follow(self, edit: Edit) -> None:
        for file in edit.files:
            text, owners = self.texts[file], self.owners[file]
            # of two at one place the first given comes first
            order = sorted((patch for patch in edit.patches if patch.file == file), key=lambda patch: (patch.start, patch.end))
            for patch in reversed(order):
                text = text[:patch.start] + patch.text + text[patch.end:]
                owners[patch.start:patch.end] = [None] * len(patch.text)
            self.texts[file] = text

    def _remember(self, before: int) -> None:
        """The texts after another entry, or after one that has grown or gone."""
        history = self.document.history
        if history.forgotten:
            raise Wrong("entries were forgotten")
        if history.position == before and history.entries and before < len(self.past) and same(self.past[before][0], self.texts):
            return
        if history.position < before and not same(self.past[history.position][0], self.texts):
            raise Wrong("an entry has gone, and its text has not")
        self.past = [*self.past[:history.position], (dict(self.texts), None)]

    def _attribute(self) -> None:
        elements = self._elements()
        if self.tame:
            elements = [one for one in elements if one.tag in TAME_TAGS and "fromto" not in one.attrs]
        if elements:
            element = self.rng.choice(elements)
            names = [self.rng.choice(TAME_TAGS[element.tag])] if self.tame else self.rng.sample([*NAMES, *element.attrs], 2)
            values = {name: self.rng.choice(TAME[name] if self.tame else (None, *VALUES)) for name in names}
            self._do(attribute_patches(self.texts[element.origin.file], element, values))

    def _inner(self):
        """Elements that may be moved, and have others beside them."""
        good, elements = self.document.last_good, self._elements(complete=True)
        inner = [one for one in elements if one is not good.root]
        if self.tame:
            inner = [one for one in inner if one.tag in ("geom", "site", "light", "camera") and good.parent(one.id).tag in ("body", "worldbody", "frame")]
        return inner

    def _insert(self) -> None:
        elements = self._inner()
        if elements:
            element, new = self.rng.choice(elements), self.rng.choice(NEW)
            ways = (insert_before, insert_after) if self.tame else (insert_before, insert_after, insert_last)
            self._do((self.rng.choice(ways)(self.texts[element.origin.file], element, new),))

    def _remove(self) -> None:
        elements = [one for one in self._inner() if len(one.children) < 3]
        if elements:
            element = self.rng.choice(elements)
            self._do((removal(self.texts[element.origin.file], element, self.rng.random() < 0.5),))

    def _move(self) -> None:
        elements = self._inner()
        if len(elements) < 2:
            return
        element, target = self.rng.sample(elements, 2)
        try:
            patches = move_patches(self.texts, element, **{"before" if self.tame else self.rng.choice(("before", "last_in")): target})
            self._do(patches)
        except ValueError:      # into itself
            return
        version = self.document.version()
        if version.root is not None and not version.read.broken and version.element(element.id) is None and not self._commented(element):
            raise Wrong(f"<{element.tag}> has lost its id by a move")

    def _commented(self, element) -> bool:
        """Whether it was moved out of what is read: into something that the reader leaves out."""
        return element.id in {number for known in self.document.known_ids.values() for number in known.values()}

    def _wrap(self) -> None:
        elements = self._inner()
        if elements:
            element = self.rng.choice(elements)
            self._do(wrapping(self.texts[element.origin.file], [element], "frame", {"pos": "0 0 0"}))

    def _typing(self) -> None:
        file = self.rng.choice(list(self.document.files()))
        at, run = self.rng.randint(0, len(self.texts[file])), self.rng.randint(0, 10**9)
        if self.tame:
            elements = [one for one in self._inner() if one.origin.file == file]
            if not elements:
                return
            at, word = self.rng.choice(elements).origin.start, self.rng.choice(TAME_WORDS)
            for letter in word:     # broken between the first and the last
                self._do((Patch(file, at, at, letter),), ("typing", file, run))
                at += 1
            return
        for _ in range(self.rng.randint(1, 5)):
            text = self.rng.choice(WORDS)[:1]
            if self.rng.random() < 0.3 and at:
                self._do((Patch(file, at - 1, at, ""),), ("typing", file, run))
                at -= 1
            else:
                self._do((Patch(file, at, at, text),), ("typing", file, run))
                at += len(text)
        if self.rng.random() < 0.5:
            self.document.history.seal()

    def _paste(self) -> None:
        if self.tame and self.rng.random() < 0.7:
            return
        file = self.rng.choice(list(self.document.files()))
        start = self.rng.randint(0, len(self.texts[file]))
        end = min(len(self.texts[file]), start + self.rng.choice((0, 0, 1, 5, 60)))
        self._do((Patch(file, start, end, "".join(self.rng.choices(WORDS, k=self.rng.randint(0, 4)))),))

    def _gesture(self) -> None:
        elements = [one for one in self._elements() if not self.tame or "pos" in TAME_TAGS.get(one.tag, ()) and "fromto" not in one.attrs]
        if not elements:
            return
        document, begin = self.document, dict(self.texts)
        ids_before = self._ids_now()
        element, gesture, before = self.rng.choice(elements), Gesture(document), document.history.position
        puts_in = self.rng.random() < 0.3 and (not self.tame or element in self._inner()) and document.last_good.complete(element.id) and element is not document.last_good.root
        made = None
        for k in range(self.rng.randint(1, 4)):
            text = begin[element.origin.file]
            patches = (insert_before(text, element, NewElement("site", {"pos": f"{k} 0 0"})),) if puts_in else attribute_patches(text, element, {"pos": f"0 0 {k}.5"})
            shown = Edit("gesture", tuple(patches))
            gesture.show(shown)
            self.texts = dict(begin)
            self.owners = {file: [None] * len(text) for file, text in self.texts.items()}
            self._follow(shown)
            if document.all_texts() != self.texts:
                raise Wrong("a gesture shows another text")
            ids = self._ids_now()
            if puts_in and ids is not None:
                now = ids.get((element.origin.file, patches[0].start + patches[0].text.index("<")))
                if made not in (None, now):
                    raise Wrong("what a gesture makes has another id at each motion")
                made = now
        ending = self.rng.choice(("end", "end", "cancel", "undo"))
        if ending == "end":
            gesture.end()
            self._remember(before)
        else:
            gesture.cancel() if ending == "cancel" else document.undo()
            self.texts = begin
            self.owners = {file: [None] * len(text) for file, text in begin.items()}
            if document.history.position != before:
                raise Wrong("a gesture that was given up has left an entry")
            if (now := self._ids_now()) != ids_before and ids_before is not None and now is not None:
                raise Wrong("a gesture that was given up has changed ids")

    def _undo(self) -> None:
        for _ in range(self.rng.choice((1, 1, 2, 5))):
            if self.document.undo() is None:
                break
            self._back()

    def _redo(self) -> None:
        for _ in range(self.rng.choice((1, 2))):
            if self.document.redo() is None:
                break
            self._back()

    def _jump(self) -> None:
        if self.document.go_to(self.rng.randint(0, len(self.document.history.entries))) is not None:
            self._back()

    def _mend(self) -> None:
        """Go back to where all was XML."""
        for position in range(self.document.history.position, -1, -1):
            if self.past[position][1] is not None and (position < self.document.history.position or not self.refused):
                if self.document.go_to(position) is not None:
                    self._back()
                return
        self.document.go_to(0)
        self._back()

    def _back(self) -> None:
        """An undo or a redo: texts and ids are those that there were."""
        texts, ids = self.past[self.document.history.position]
        if not same(self.document.all_texts(), texts):
            raise Wrong("undo or redo has made another text")
        self.texts = self.document.all_texts()
        self.owners = {key: [None] * len(text) for key, text in self.texts.items()}
        now = self._ids_now()
        if ids is not None and now is not None and ids != now:
            raise Wrong(f"undo or redo: {sum(now.get(place) != number for place, number in ids.items())} of {len(ids)} elements have other ids")

    def _ids_now(self):
        version = self.document.version()
        if version.root is None or version.read.broken:
            return None
        return {(one.origin.file, one.origin.start): one.id for one in version.root.walk()}

    def _disk(self) -> None:
        """Another program writes a file: a line more, another number, or something else altogether."""
        file = self.rng.choice(list(self.document.files()))
        there = self.document.files()[file]
        base = there.disk_text or ""
        lines = base.splitlines(keepends=True) or [""]
        at = self.rng.randrange(len(lines))
        how = self.rng.random()
        if how < (0.9 if self.tame else 0.5):
            lines.insert(at, f"<!-- {self.steps} -->\n" if "<?xml" not in lines[at] else "")
        elif how < (0.99 if self.tame else 0.9):
            lines[at] = lines[at].replace("1", "2", 1)
        else:
            lines = [*lines[:at], "<mujoco>\n"]
        text = "".join(lines)
        Path(file).write_bytes(encode(text, there.codec)[0])
        mine, before = there.text, self.document.history.position
        change, edit = self.document.look_at_disk(file)
        self.count[f"disk {change.value}"] += 1
        if change is DiskChange.CONFLICT:
            if there.text != mine:
                raise Wrong("a conflict has changed the text")
            choice = self.rng.choice(("mine", "disk", "merge"))
            merge = self.document.merge(file, text)
            if choice == "mine":
                self.document.keep(file)
            elif choice == "disk" or merge is None:
                edit = self.document.take_disk(file)
            else:
                edit = self.document.take_merge(file, merge.text(self.rng.choices(("mine", "theirs", "both"), k=len(merge.conflicts))), text)
        elif change is DiskChange.TAKEN and there.text != text:
            raise Wrong("what the disk has was not taken")
        if edit is not None:
            self._follow(edit)
        if self.document.history.position != before or edit is not None:
            self._remember(before)
        if there.disk_text != text:
            raise Wrong("what the disk has is not known")

    def _save(self) -> None:
        self.document.save()
        for key, file in self.document.files().items():
            if file.modified or Path(key).read_bytes() != encode(file.text, file.codec)[0] or self.document.history.saved_position(key) != self.document.history.position and file.text != file.disk_text:
                raise Wrong(f"{file.name} was not saved as it is")

    def _revert(self) -> None:
        if self.rng.random() < 0.3:
            before = self.document.history.position
            edit = self.document.revert()
            if edit is not None:
                self._follow(edit)
                self._remember(before)
            if self.document.modified:
                raise Wrong("there is unsaved text after a revert")

    # ------------------------------------------------------------------ what must agree

    def check(self) -> None:
        """All of it."""
        document = self.document
        if document.all_texts() != self.texts:
            raise Wrong("the texts are not those that the patches make")
        version = document.version()
        fresh = Version.of(document.read_texts(), document.main_key, document.base_dir)
        if (version.root is None) != (fresh.root is None) or version.root is not None and not same_content(version.root, fresh.root):
            raise Wrong("the tree is not that of a fresh reading")
        for key, file in document.files().items():
            position = document.history.saved_position(key)
            if position is not None and not file.gone and self.past[position][0].get(key) != file.disk_text:
                raise Wrong(f"{file.name} was not saved at entry {position}")
        self._check_ids(version)
        self._check_last_good()
        if self.steps % self.every == 0:
            self._check_compiled(version, fresh)
        if self.steps % JOURNAL_EVERY == 0:
            self._check_journal()

    def _check_ids(self, version) -> None:
        numbers = [number for known in self.document.known_ids.values() for number in known.values()]
        if len(numbers) != len(set(numbers)):
            raise Wrong("an id is known at two places")
        if version.root is None:
            return
        seen = set()
        for element in version.root.walk():
            if element.id in seen:
                raise Wrong("two elements have the same id")
            seen.add(element.id)
            owners = self.owners.get(element.origin.file)
            if owners is None:
                continue
            if owners[element.origin.start] not in (None, element.id):
                raise Wrong(f"<{element.tag}> in line {element.origin.line} has another id than before")
            owners[element.origin.start] = element.id
        position = self.document.history.position
        if not version.read.broken:
            self.past[position] = self.past[position][0], self._ids_now()

    def _check_last_good(self) -> None:
        good, texts = self.document.last_good, self.document.all_texts()
        if good.root is None or good.good is self.document.version():     # what is read leniently has tags that are none
            return
        for element in good.root.walk():
            if element.origin.file in texts and good.whole(element.id):
                text = texts[element.origin.file]
                places = tag_places(text, element.origin.start)
                name = "".join(text[places.start:places.name_end].split())      # as MuJoCo's reader has it, white space may stand before it
                if name != f"<{element.tag}" or {one.name for one in places.attributes} != set(element.attrs):
                    raise Wrong(f"<{element.tag}> is not where the last good tree has it")
                if good.complete(element.id) and text[element.origin.end - 1] != ">":
                    raise Wrong(f"<{element.tag}> does not end where the last good tree has it")
            if good.element(element.id) is not element:
                raise Wrong("an element of the last good tree is not found")

    def _check_compiled(self, version, fresh) -> None:
        models = []
        for one in (version, fresh):
            if one.root is None or one.read.errors:
                return
            try:
                models.append(compile_root(one.read, stand_ins=True))
            except ModelError as error:
                models.append(str(error.issues[0]))
        self.count["compiled"] += 1
        first, second = models
        if isinstance(first, str) or isinstance(second, str):
            if first != second:
                raise Wrong(f"one compiles, the other not: {models}")
            return
        self.count["models"] += 1
        wrong = [name for name in first.layout.arrays if not np.array_equal(getattr(first, name), getattr(second, name), equal_nan=getattr(first, name).dtype.kind == "f")]
        wrong += [name for name in first.layout.scalars if getattr(first, name) != getattr(second, name)]
        if wrong or first.names != second.names:
            raise Wrong(f"the Models differ: {wrong[:5]}")

    def _check_journal(self) -> None:
        """What would be left if the program were killed now."""
        document = self.document
        if not self.journal.write_now():
            raise Wrong(f"the journal: {self.journal.problem}")
        if not self.journal._begun:
            return
        found = read_copy(self.journal._place)
        self.count["journals"] += 1
        if found is None or found.journal.broken:
            raise Wrong(f"the journal cannot be read: {found and found.journal.broken}")
        unsaved = {key: file.text for key, file in document.files().items() if file.text != (file.disk_text or "")}
        if found.files != unsaved and {key: text for key, text in found.files.items() if key in document.files()} != unsaved:
            raise Wrong("the journal has other unsaved texts")
        history, kept = document.history, found.journal.history
        if kept.position != history.position or [one.edit.label for one in kept.entries] != [one.edit.label for one in history.entries]:
            raise Wrong(f"the journal has another history: {kept.position} of {len(kept.entries)} for {history.position} of {len(history.entries)}")

    def close(self) -> None:
        """Everything taken back gives the bytes of the beginning, by the journal, too."""
        if self.journal.write_now() and self.journal._begun:
            replayed = read_copy(self.journal._place).journal
            for position in range(replayed.history.position - 1, -1, -1):
                replayed.take({"at": position})
                if not same(replayed.texts, self.past[position][0]):
                    raise Wrong(f"undoing by the journal makes another text at entry {position}")
        self.document.go_to(0)
        self._back()
        self.journal.drop()
        self.journal.close()


def copied(main: Path, folder: Path) -> Path:
    """A model in a folder that may be written in: its XML files are copies, all else are links."""
    root = main.parent
    for place, _folders, files in os.walk(root):
        there = folder / Path(place).relative_to(root)
        there.mkdir(parents=True, exist_ok=True)
        for name in files:
            if name.endswith((".xml", ".urdf")):
                shutil.copyfile(Path(place) / name, there / name)
            else:
                (there / name).symlink_to(Path(place) / name)
    return folder / main.name


def models(folder: Path) -> list[tuple[str, Path, int]]:
    """(name, main file, of how many steps one is compiled) of what is edited."""
    tricky = folder / "tricky"
    tricky.mkdir()
    for name, text in TRICKY.items():
        (tricky / name).write_bytes(text.encode())
    found = [("tricky", tricky / "m.xml", 1)]
    found += [(path.stem, path, 1) for path in OURS if path.parent.name == "models" and path.parent.parent.name != "tests" and path.suffix == ".xml" and path.stat().st_size < 9000]
    if has_corpus():
        found += [(entry.name, entry.path, LARGE_EVERY) for entry in read_manifest(corpus_dir()) if entry.name in LARGE_NAMES]
    return found


def run(name: str, main: Path, every: int, steps: int, seed: int) -> tuple[Counter, list[str]]:
    """(what was done, what was wrong) with one model."""
    with tempfile.TemporaryDirectory() as place:
        fuzz = Fuzz(copied(main, Path(place) / "model"), random.Random(f"{seed} {name}"), every, Path(place))
        try:
            for k in range(steps):
                fuzz.tame = k < 0.6 * steps
                fuzz.step()
            fuzz.close()
        except Exception:
            return fuzz.count, [f"{name}, seed {seed}, step {fuzz.steps} ({fuzz.label}): {traceback.format_exc()}"]
        finally:
            fuzz.journal.close()
        return fuzz.count, []


def fuzzed(steps: int, seed: int, only: list[str] | None = None) -> dict:
    """What came of so many steps on all models together, or on those of these names."""
    count, wrong, begun = Counter(), [], time.perf_counter()
    with tempfile.TemporaryDirectory() as place:
        found = [row for row in models(Path(place)) if not only or row[0] in only]
        each = -(-steps // max(1, len(found)))
        for name, main_file, every in found:
            at = time.perf_counter()
            done, faults = run(name, main_file, every, each, seed)
            count.update(done)
            wrong += faults
            print(f"{name}: {each} steps in {time.perf_counter() - at:.0f} s{', WRONG' if faults else ''}", flush=True)
    return {"models": len(found), "steps": each * len(found), "seconds": round(time.perf_counter() - begun), "count": dict(sorted(count.items())), "wrong": wrong}


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=10_000, help="of all models together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--json", type=Path, default=Path("edit_fuzz.json"))
    given = parser.parse_args(arguments)
    result = fuzzed(given.steps, given.seed, given.only)
    given.json.write_text(json.dumps(result, indent=1))
    print({**result, "wrong": len(result["wrong"])})
    print("\n".join(result["wrong"]))
    return 1 if result["wrong"] or not result["models"] else 0


if __name__ == "__main__":
    sys.exit(main())
