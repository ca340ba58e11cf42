"""The tree to look at: includes as nodes, what a search leaves, where problems are marked, and that thousands of elements take no time."""
import time

from editor.structure.outline import Outline
from physics.errors import Issue, Place
from tests.editor.structure.versions import of, one, opened
from tests.oracle.corpus import corpus_file

MAIN = """<mujoco>
  <include file="a.xml"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <include file="b.xml"/>
    <body name="arm" childclass="arm"><geom name="g" size=".1"/><joint/></body>
  </worldbody>
</mujoco>
"""
A = '<mujocoinclude>\n  <default><default class="arm"><geom rgba="1 0 0 1"/></default></default>\n  <include file="c.xml"/>\n</mujocoinclude>\n'
B = '<mujocoinclude>\n  <body name="b"><geom name="inner" size=".1"/></body>\n  <site name="s"/>\n</mujocoinclude>\n'
C = '<mujocoinclude>\n  <asset><material name="m"/></asset>\n</mujocoinclude>\n'


def lines(node, depth=0):
    for child in node.children:
        yield "  " * depth + child.title
        yield from lines(child, depth + 1)


def test_includes_are_nodes_with_their_file():
    outline = Outline(of(MAIN, a=A, b=B, c=C))
    assert list(lines(outline.root)) == ["a.xml", "  default", "    arm", "      geom", "  c.xml", "    asset", "      m", "worldbody", "  floor", "  b.xml", "    b",
                                         "      inner", "    s",                                          "  arm", "    g", "    joint"]
    include = outline.root.children[0]
    assert (include.kind, include.tag.included, include.tag.start) == ("include", "/m/a.xml", MAIN.index("<include"))
    inner = outline.node(one(outline.version, "material"))
    assert [node.title for node in inner.above()[1:]] == ["a.xml", "c.xml", "asset"]


def test_a_search_leaves_what_it_finds_and_what_that_stands_in():
    version = of(MAIN, a=A, b=B, c=C)
    assert list(lines(Outline(version, "inner").root)) == ["worldbody", "  b.xml", "    b", "      inner"]
    assert list(lines(Outline(version, "class:arm body").root)) == ["worldbody", "  arm"]
    assert list(lines(Outline(version, "type:plane").root)) == ["worldbody", "  floor"]
    assert not list(lines(Outline(version, "nothing like it").root))


def test_problems_are_marked_at_the_innermost_element():
    version = of(MAIN, a=A, b=B, c=C)
    issues = [Issue("error", Place("/m/main.xml", 6, 45), "", "what"), Issue("warning", Place("/m/b.xml", 2, 20), "", "what"),
              Issue("error", Place("/m/main.xml", 3, 3), "", "what"),               Issue("error", None, "", "nowhere")]
    marked = {version.element(number).name or version.element(number).tag: issue.severity for number, issue in Outline(version).problems(issues).items()}
    assert marked == {"g": "error", "inner": "warning", "worldbody": "error"}


def test_a_thousand_problems_look_at_few_elements(monkeypatch):
    """One line of geoms each: each problem looks at the element at its place, and at what it stands in."""
    geoms = "".join(f'<geom name="g{k}"\n class="no"/>\n' for k in range(1000))
    version = of(f"<mujoco>\n<default><default class='no'/></default><worldbody>\n{geoms}</worldbody></mujoco>")
    looked, end = [], Outline._end_line
    monkeypatch.setattr(Outline, "_end_line", lambda self, element: looked.append(element) or end(self, element))
    places = [Place("/m/main.xml", 4 + 2 * k, 2) for k in range(1000)]
    marked = Outline(version).problems([Issue("error", place, "", "what") for place in places])
    assert [version.element(number).name for number in marked] == [f"g{k}" for k in range(1000)] and len(looked) == 1000


def test_thousands_of_elements_take_no_time():
    bodies = "".join(f'<body name="b{k}"><geom name="g{k}" size=".1"/><joint name="j{k}"/></body>\n' for k in range(3000))
    version = of(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    version.element(0)
    begin = time.process_time()
    outline = Outline(version)
    assert len(outline.root.children[0].children) == 3000
    assert outline.node(one(version, "geom", "g2999")).title == "g2999"
    shown = time.process_time() - begin
    begin = time.process_time()
    found = Outline(version, "g2999")
    assert list(lines(found.root)) == ["worldbody", "  b2999", "    g2999"]
    searched = time.process_time() - begin
    assert shown < 0.2 and searched < 0.5, (shown, searched)


def test_a_model_that_people_have():
    outline = Outline(opened(corpus_file("menagerie_kuka_iiwa_14/scene.xml")))
    assert outline.root.children[0].title == "iiwa14.xml" and any("link7" in line for line in lines(outline.root))
