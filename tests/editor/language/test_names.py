"""Definitions and references: as the reader's own table of names has them."""
import pytest

from editor.edits.version import Version
from editor.language.hover import help_at
from editor.language.references import definition, element_of, lines_of, references, symbol_at
from editor.language.symbols import SymbolReader
from editor.language.tags import tags
from physics.spec.defaults import Resolver
from physics.spec.names import Names
from tests.editor.language.samples import MODEL, twins
from tests.oracle.corpus import OURS, require_corpus

PART = """<x>\r
  <body name='lower'><joint name='wrist "x"'/><geom class="link" mesh="hand" type='mesh'/></body>\r
</x>\r
"""
MAIN = MODEL.replace('<site name="tip" pos="0 0 1"/>', '<site name="tip" pos="0 0 1"/>\n      <include file="part.xml"/>').replace(
    '<motor name="drive" joint="elbow"/>', "<motor name=\"drive\" joint=\"elbow\"/>\n    <motor joint='wrist &quot;x&quot;'/>")
WORDS = {("flex", "body"), ("flex", "node"), ("attach", "body"), ("attach", "frame")}
TEXTS = {"main.xml": MAIN, "part.xml": PART}


def read(texts=None, main="main.xml"):
    return SymbolReader().read(texts or TEXTS, main)


def known(texts, main):
    """(declared, used) of the reader: namespace, name and where the element begins."""
    version = Version.of(texts, main, None)
    names = Names(version.root)
    declared = {(space, name, element.origin.file, element.origin.start) for space, found in names.declared.items() for name, element in found.items()
                if (space, name) not in (("body", "world"), ("default", "main"))}
    declared |= {(space, name, element.origin.file, element.origin.start) for space, name, _first, element in names.duplicates}
    used = {(space, name, element.origin.file, element.origin.start, attribute) for element, attribute, space, name in names.references() if name}
    return declared, used


def scanned(texts, main):
    symbols = read(texts, main)
    every = [symbol for file, found in symbols.files.items() if symbols.models[file] == main for symbol in found.symbols]
    spaced = [symbol for symbol in every if (symbol.tag, symbol.attribute) not in WORDS]      # which the reader leaves to the compiler
    return ({(one.namespace, one.name, one.file, one.tag_start) for one in spaced if one.declares and one.namespace != "model"},
            {(one.namespace, one.name, one.file, one.tag_start, one.attribute) for one in spaced if not one.declares})


@pytest.mark.parametrize("twin", twins(MODEL))
def test_the_scan_finds_what_the_reader_finds(twin):
    texts = {"m.xml": twins(MODEL)[twin]}
    assert scanned(texts, "m.xml") == known(texts, "m.xml")


@pytest.mark.parametrize("path", [path for path in OURS if path.suffix != ".urdf"], ids=lambda path: path.name)
def test_the_same_of_our_models(path):
    texts = {str(path): path.read_text()}
    version = Version.of(texts, str(path), str(path.parent))
    assert version.root is not None and next(tag.name for tag in tags(texts[str(path)]) if tag.name) == "mujoco"
    texts = dict(version.read.sources)
    assert scanned(texts, str(path)) == known(texts, str(path))


def test_the_same_of_the_corpus():
    folder = require_corpus()
    count = 0
    for path in sorted(folder.rglob("*.xml"))[::4]:
        text = path.read_bytes().decode("utf-8", "replace")
        version = Version.of({str(path): text}, str(path), str(path.parent))
        if version.root is None or version.root.tag != "mujoco":
            continue
        texts = dict(version.read.sources)
        assert scanned(texts, str(path)) == known(texts, str(path)), path
        count += 1
    assert count > 20


def at(texts, file, marked):
    """Where a piece of a file's text, marked by |, is."""
    return texts[file].index(marked.replace("|", "")) + marked.index("|")


def test_definitions_over_files():
    symbols = read()
    found = definition(TEXTS, "main.xml", at(TEXTS, "main.xml", 'joint="elb|ow"'), symbols)
    assert (found.file, MAIN[found.start:found.end]) == ("main.xml", "elbow") and MAIN[:found.start].endswith('<joint name="')
    found = definition(TEXTS, "main.xml", at(TEXTS, "main.xml", "joint='wri|st"), symbols)
    assert found.file == "part.xml" and PART[found.start:found.end] == 'wrist "x"'
    found = definition(TEXTS, "part.xml", at(TEXTS, "part.xml", 'class="li|nk"'), symbols)
    assert found.file == "main.xml" and MAIN[:found.start].endswith('<default class="')
    found = definition(TEXTS, "main.xml", at(TEXTS, "main.xml", 'file="part|.xml"'), symbols)
    assert found == ("part.xml", 0, 0, "")
    found = definition(TEXTS, "main.xml", at(TEXTS, "main.xml", 'file="hand|.stl"'), symbols)
    assert found.start < 0 and "parts" in found.problem
    texts = {"main.xml": MAIN.replace('joint="elbow"/>\n    <motor', 'joint="elbo"/>\n    <motor'), "part.xml": PART}
    assert "no joint named 'elbo'" in definition(texts, "main.xml", at(texts, "main.xml", 'joint="el|bo"'), read(texts)).problem
    assert definition(TEXTS, "main.xml", at(TEXTS, "main.xml", 'ax|is="0 1 0"'), symbols) is None


def test_references_work_in_a_text_that_is_no_xml():
    broken = {**TEXTS, "main.xml": MAIN.replace("<actuator>", '<actuator>\n  <motor name="x\n')}
    symbols = read(broken)
    symbol = symbol_at(broken, "main.xml", at(broken, "main.xml", '<joi|nt name="elbow"'), symbols)
    lines = lines_of(broken, [(one.file, one.start, one.end) for one in references(symbols, symbol)])
    assert [line.text for line in lines] == ['<joint name="elbow" axis="0 1 0"/>', '<motor name="drive" joint="elbow"/>', '<jointpos joint="elbow"/>']
    assert lines[0].title == f"main.xml:{MAIN[:MAIN.index('<joint')].count(chr(10)) + 1}"


def test_a_name_leads_to_its_element():
    symbols, version = read(), Version.of(TEXTS, "main.xml")
    for file, marked, name in (("main.xml", "joint='wri|st", 'wrist "x"'), ("part.xml", 'class="li|nk"', "link"), ("main.xml", '<site na|me="tip"', "tip")):
        element = version.element(element_of(version, symbols, symbol_at(TEXTS, file, at(TEXTS, file, marked), symbols)))
        assert name in (element.name, element.attrs.get("class"))
    nobody = symbol_at(TEXTS, "main.xml", at(TEXTS, "main.xml", 'joint="elb|ow"'), symbols)._replace(name="gone")
    assert element_of(version, symbols, nobody) is None


def test_what_attach_and_lists_name():
    texts = {"m.xml": '<mujoco><worldbody><body name="a"/><attach body="a" prefix="p"/><attach model="m" body="a" prefix="q"/></worldbody>'
                      '<deformable><flex name="f" body="ab a  ab"/></deformable></mujoco>'}
    assert [(one.tag, one.attribute) for one in read(texts, "m.xml").of("m.xml", "body", "a")] == [("body", "name"), ("attach", "body"), ("flex", "body")]


def test_help_tells_meaning_and_the_value_in_force():
    symbols, version = read(), Version.of(TEXTS, "main.xml")
    resolver = Resolver(version.root)

    def told(marked, file="main.xml"):
        return help_at(TEXTS[file], at(TEXTS, file, marked), file, symbols, resolver)

    assert told('<geo|m name="rod"').startswith("geom: ")
    assert "in force: 0 1 0 (written here)" in told('axi|s="0 1 0"') and "default 0 0 1" in told('axi|s="0 1 0"')
    assert "joint 'elbow': <joint> in main.xml" in told('joint="elb|ow"') and "joint 'elbow': 2 references" in told('<joint name="e|lbow"')
    friction = help_at(*placed('name="rod"', 'name="rod" friction=".5"', 'frict|ion=".5"'))
    assert "in force: .5 (written here), .01 .001 (from class 'link', main.xml:6)" in friction
    assert "in force: .05" in told('<geom si|ze=".05"') and "written here, in place of .5 .5 .5 1" in help_at(*placed('<geom name="rod"', '<geom rgba="1 0 0 1" name="rod"', 'rg|ba="1 0 0 1" name'))
    assert told("<!-- the a|rm -->") == "" and told('\n    <bo|dy name="upper"').startswith("body: ")
    assert help_at(MAIN, at(TEXTS, "main.xml", 'axi|s="0 1 0"'), "main.xml", symbols, None).startswith("axis: ")      # without a tree: no value in force


def placed(old, new, marked):
    texts = {"main.xml": MAIN.replace(old, new), "part.xml": PART}
    return texts["main.xml"], at(texts, "main.xml", marked), "main.xml", read(texts), Resolver(Version.of(texts, "main.xml").root)
