import moderngl
import numpy as np
import pytest

from render.gpu import context, programs
from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene import shapes
from tests.render.gl_objects import living
from tests.render.stage import FRONT, one


@pytest.fixture
def shader_folder(tmp_path, monkeypatch):
    (tmp_path / 'lib').mkdir()
    (tmp_path / 'lib' / 'good.glsl').write_text('float two() { return 2.0; }\n')
    (tmp_path / 'lib' / 'bad.glsl').write_text('// fine\nfloat broken( { return 1.0; }\n')
    monkeypatch.setattr(programs, 'SHADER_DIR', tmp_path)
    monkeypatch.setattr(programs.expand, '__defaults__', (tmp_path,))
    return tmp_path


def write(folder, name, include):
    (folder / f'{name}.glsl').write_text(
        f'// head\n#section vertex\nvoid main() {{ gl_Position = vec4(0); }}\n'
        f'#section fragment\n#include "{include}"\nout vec4 c;\nvoid main() {{ c = vec4(TONE); }}\n')


def test_include_defines_and_cache(shader_folder, offscreen):
    write(shader_folder, 'one', 'lib/good.glsl')
    with context.use(offscreen.ctx) as ctx:
        made = programs.Programs(ctx)
        a = made.get('one', TONE=1)
        assert isinstance(a, moderngl.Program) and made.get('one', TONE=1) is a and made.get('one', TONE=2) is not a
        made.release()


def test_an_error_names_the_included_file_and_line(shader_folder, offscreen):
    write(shader_folder, 'two', 'lib/bad.glsl')
    with context.use(offscreen.ctx) as ctx, pytest.raises(programs.ShaderError, match=r'lib/bad\.glsl:2'):
        programs.Programs(ctx).get('two', TONE=1)


def test_missing_and_cyclic_includes(shader_folder):
    write(shader_folder, 'three', 'lib/none.glsl')
    with pytest.raises(programs.ShaderError, match='lib/none.glsl'):
        programs.expand('three')
    (shader_folder / 'lib' / 'a.glsl').write_text('#include "lib/b.glsl"\n')
    (shader_folder / 'lib' / 'b.glsl').write_text('#include "lib/a.glsl"\n')
    write(shader_folder, 'four', 'lib/a.glsl')
    assert 'fragment' in programs.expand('four')      # each file is pasted once


def test_every_shipped_program_compiles_in_all_variants(offscreen):
    with context.use(offscreen.ctx) as ctx:
        made = programs.Programs(ctx)
        for texture in (0, 1, 2):
            for shadow, pcf in ((0, 0), (1, 0), (1, 1), (1, 3)):
                for reflection in (0, 1):
                    made.get('surface', TEXTURE=texture, SHADOW=shadow, PCF=pcf, REFLECTION=reflection, LIGHTS_PLAIN='DIRECTIONAL(0) SPOT(1) POINT(2)',
                             LIGHTS_CAST='SPOT_CAST(3,0,1) DIRECTIONAL_CAST(4,1,3) POINT_CAST(5,4,6)' if shadow else '')
        for layers in (0, 1, 63):
            for sampled in (0, 1):
                made.get('surface', PHYSICAL=1, TEXTURE=1 if layers else 2 * sampled, SHADOW=sampled, PCF=1, PENUMBRA=sampled, REFLECTION=1 - sampled, GLOSSY=sampled,
                         OCCLUSION=sampled, CLEAR=1 - sampled, LAYERS=layers, CODED=sampled, LIGHTS_PLAIN='DIRECTIONAL(0) SPOT(1) POINT(2)',
                         LIGHTS_CAST='SPOT_CAST(3,0,1) DIRECTIONAL_CAST(4,1,3) POINT_CAST(5,4,6)' if sampled else '')
        for mode in (0, 1, 2):
            made.get('identity', MODE=mode)
        for name, defines in (('environment', {'SKY': 0}), ('environment', {'SKY': 1}), ('prefilter', {}), ('occlusion_depth', {}), ('occlusion', {'TAPS': 8}),
                              ('occlusion_blur', {})):
            made.get(name, **defines)
        for name in ('depth', 'sky', 'haze', 'line', 'depth_picture', 'skin_place', 'skin_normal'):
            made.get(name)
        made.release()


def test_only_variants_used_of_late_are_kept(offscreen, monkeypatch):
    monkeypatch.setattr(programs, 'MOST_VARIANTS', 3)
    monkeypatch.setattr(programs, 'LATE', 2)
    with context.use(offscreen.ctx) as ctx:
        made, gone = programs.Programs(ctx), []

        def surface(lights):
            return made.get('surface', TEXTURE=0, SHADOW=0, PCF=0, REFLECTION=0, LIGHTS_CAST='', LIGHTS_PLAIN=' '.join(f'DIRECTIONAL({k})' for k in range(lights)))

        other, first = made.get('depth'), surface(0)
        for lights in range(1, 7):
            gone += made.next_picture()
            assert surface(0) is first
            latest = surface(lights)
        gone += made.next_picture()
        assert len(gone) == len(set(gone)) == 1 + 6 - 3     # all but the three used last
        assert made.get('depth') is other and surface(0) is first and surface(6) is latest
        gone += made.next_picture()
        assert len(made) == 1 + 3
        for program in gone:
            program.release()
        made.release()


def test_a_renderer_frees_the_programs_of_pictures_long_ago(offscreen, monkeypatch):
    monkeypatch.setattr(programs, 'MOST_VARIANTS', 2)
    monkeypatch.setattr(programs, 'LATE', 2)
    pictures, counts = {}, []
    with Offscreen(48, 32, QUALITIES['low']) as camera:
        for number in (*range(8), *range(8)):
            scene = one(shapes.BOX, (1, 1, 1), (1, 0.5, 0, 1))
            for _ in range(number % 8):
                row = scene.lights.add(1)
                scene.lights.pos[row], scene.lights.diffuse[row] = (0, -3, 3), 0.05
            picture = camera.rgb(scene, FRONT)
            assert np.array_equal(pictures.setdefault(number % 8, picture), picture)
            with context.use(camera.ctx) as ctx:
                counts.append(living(ctx)['Program'])
        assert len({bytes(picture) for picture in pictures.values()}) > 5
        assert max(counts[8:]) <= max(counts[2:5]) + 1, counts
