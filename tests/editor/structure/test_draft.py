"""Many elements in one go take as many readings of the text as one does; comments that end an element's line stay with it."""
import pytest

from editor.edits.element_patches import NewElement
from editor.edits.version import Version
from editor.structure.copying import copied_text, duplicate, paste
from editor.structure.delete import delete
from editor.structure.draft import Draft
from editor.structure.inlining.attached_models import inline_attach
from editor.structure.inlining.replicates import unroll
from editor.structure.mirror import mirror
from editor.structure.reparent import reparent
from editor.structure.wrap import unwrap, wrap
from physics.mjcf import reader
from tests.editor.structure.versions import after, compiled, of, one, same_world

MANY = 30


def many() -> Version:
    geoms = "".join(f'    <geom name="g{k}" size=".1" pos="{k} 0 0"/>\n' for k in range(MANY))
    bodies = "".join(f'    <body name="b{k}" pos="{k} 1 0">\n      <joint name="j{k}"/>\n      <geom size=".1"/>\n    </body>\n' for k in range(MANY))
    motors = "".join(f'    <motor name="m{k}" joint="j{k}"/>\n' for k in range(MANY))
    goal = '    <body name="goal" pos="0 0 1">\n      <geom size=".1"/>\n    </body>\n'
    return of(f"<mujoco>\n  <worldbody>\n{geoms}{bodies}{goal}  </worldbody>\n  <actuator>\n{motors}  </actuator>\n"
              f"  <keyframe>\n    <key qpos=\"{' '.join(['0'] * MANY)}\"/>\n  </keyframe>\n</mujoco>\n")


@pytest.fixture
def readings(monkeypatch):
    """How often a text was read."""
    made, read = [], reader.read_text
    monkeypatch.setattr(reader, "read_text", lambda *args: made.append(1) or read(*args))
    return made


def geoms(version: Version) -> list[int]:
    return [e.id for e in version.root.walk() if e.tag == "geom" and e.name]


def test_readings_do_not_grow_with_what_is_selected(readings):
    version = many()
    bodies = [e.id for e in version.root.walk() if e.tag == "body" and e.name != "goal"]
    goal, world = one(version, "body", "goal"), version.root.first("worldbody").id
    text = copied_text(version, geoms(version))
    for make, most in ((lambda: duplicate(version, geoms(version)), 1), (lambda: paste(version, text, world), 1), (lambda: duplicate(version, bodies), 2),
                       (lambda: reparent(version, geoms(version), goal), 2), (lambda: reparent(version, bodies, goal), 3), (lambda: delete(version, bodies, "delete"), 3),
                       (lambda: mirror(version, bodies, "y"), 3)):
        del readings[:]
        change = make()
        assert 0 < len(readings) <= most
        compiled(after(version, change))


def test_copies_and_attached_parts_are_written_in_one_go(readings):
    version = of(f'<mujoco><worldbody><replicate count="{MANY}" offset="1 0 0"><body name="b"><joint name="j"/><geom size=".1"/></body></replicate></worldbody>'
                 '<actuator><motor name="m" joint="j"/></actuator><sensor><jointpos joint="j"/></sensor></mujoco>')
    del readings[:]
    change = unroll(version, one(version, "replicate"))
    assert len(readings) <= 6
    same_world(compiled(version), compiled(after(version, change)))
    bodies = "<body><joint/><geom size='.1'/></body>" * MANY
    assets = "".join(f'<material name="m{k}"/>' for k in range(MANY))
    version = of('<mujoco><asset><model name="c" file="c.xml"/></asset><worldbody><attach model="c" prefix="p_"/></worldbody></mujoco>',
                 c=f'<mujoco><asset>{assets}</asset><worldbody>{bodies}</worldbody></mujoco>')
    del readings[:]
    change = inline_attach(version, one(version, "attach"))
    assert len(readings) <= 8
    same_world(compiled(version), compiled(after(version, change)))


def test_the_order_of_what_is_moved_stays():
    version = many()
    chosen = geoms(version)
    for number, place in ((chosen[5:9], {"before": chosen[2]}), (chosen[5:9], {"before": chosen[9]}), (chosen[2:4] + chosen[8:9], {"before": chosen[4]}),
                          (chosen[:3], {"last_in": None}), (chosen[1:3], {"after": chosen[6]})):
        draft = Draft(version)
        draft.move_all(number, **{key: version.root.first("worldbody").id if value is None else value for key, value in place.items()})
        now = [e.id for e in draft.root.walk() if e.id in chosen]
        at = now.index(number[0])
        assert now[at:at + len(number)] == number and sorted(now) == sorted(chosen)


def test_places_within_one_another():
    version = of("<mujoco><worldbody><body name='a'/></worldbody></mujoco>")
    draft = Draft(version)
    a, world = one(version, "body", "a"), version.root.first("worldbody").id
    made = draft.insert_all([(NewElement("geom", {"name": str(k)}), {"last_in": place}) for k, place in enumerate((a, world, a, world))])
    assert [draft.element(number).name for number in made] == ["0", "1", "2", "3"]
    assert [draft.parent(number).id for number in made] == [a, world, a, world]


COMMENTED = """<mujoco>
  <worldbody>
    <body name="arm">
      <geom name="g"
        size=".1"/>
    </body> <!-- arm -->
    <geom name="skid" size=".2"/>  <!-- a skid -->
    <geom name="last" size=".3"/>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_a_comment_that_ends_the_line_belongs_to_the_element(eol):
    version = of(COMMENTED.replace("\n", eol))
    main = "/m/main.xml"

    def text(change) -> str:
        return after(version, change).texts[main].replace("\r\n", "\n")

    arm, skid, last = one(version, "body", "arm"), one(version, "geom", "skid"), one(version, "geom", "last")
    assert '</body> <!-- arm -->\n    <body name="arm_1">\n      <geom name="g_1"\n        size=".1"/>\n    </body>\n    <geom name="skid"' in text(duplicate(version, [arm]))
    assert text(reparent(version, [skid], arm)) == COMMENTED.replace('    <geom name="skid" size=".2"/>  <!-- a skid -->\n', "").replace(
        "    </body> <!--", '      <geom name="skid" size=".2"/>  <!-- a skid -->\n    </body> <!--')
    assert text(delete(version, [skid])) == COMMENTED.replace('    <geom name="skid" size=".2"/>  <!-- a skid -->\n', "")
    assert '\n    <frame>\n      <geom name="skid" size=".2"/>  <!-- a skid -->\n    </frame>\n    <geom name="last"' in text(wrap(version, [skid]))
    moved = text(reparent(version, [last], version.root.first("worldbody").id, before=skid))
    assert '<!-- arm -->\n    <geom name="last" size=".3"/>\n    <geom name="skid"' in moved
    assert "<!-- arm -->" in text(unwrap(version, arm))


def test_lines_are_joined_by_blanks_within_a_line():
    version = of(COMMENTED)
    copied = copied_text(version, [one(version, "body", "arm")])
    there = of("<mujoco><worldbody><body><geom size='1'/></body></worldbody></mujoco>")
    now = after(there, paste(there, copied, one(there, "body")))
    assert '<geom name="g" size=".1"/>' in now.texts["/m/main.xml"] and compiled(now).ngeom == 2
