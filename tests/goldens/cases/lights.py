"""Lights: each type and each field, where they follow, their shadows large and small."""
from tests.goldens.case import Case

SMALL = (240, 180)
SPECKLED = 'the official floor is speckled by its shadow map'
CORNERS = 'floors, boxes and cylinders are lit per pixel, officially at the corners of triangles'
SOFT = 'soft; the official shadows have hard edges'
DARK = '<headlight ambient="0 0 0" diffuse="0 0 0" specular="0 0 0"/>'
THINGS = '''<geom type="plane" size="1.6 1.2 .1" rgba=".7 .7 .7 1"/><geom size=".2" pos="-.7 0 .25" rgba=".8 .4 .3 1"/>
  <geom type="box" size=".15 .15 .3" pos="0 .2 .3" euler="0 0 30" rgba=".4 .7 .4 1"/><geom type="cylinder" size=".12 .2" pos=".7 -.1 .2" rgba=".4 .5 .8 1"/>'''


def _lit(lights, head='', things=THINGS):
    return f'''<mujoco><visual>{head}<global azimuth="100" elevation="-30"/></visual><statistic center="0 0 .2" extent="1.6"/>
      <worldbody>{lights}{things}</worldbody></mujoco>'''


def _reason(lights):
    if 'spot' in lights:
        return CORNERS
    return SPECKLED if 'directional' in lights and 'castshadow' not in lights else ''


def _case(name, see, lights, head=DARK, **more):
    return Case(f'light_{name}', _lit(lights, head), see, **{'size': SMALL, 'why': _reason(lights)} | more)


SUN = 'type="directional" pos="0 0 3" dir=".4 .3 -1" diffuse=".8 .8 .8"'
SPOT = 'type="spot" pos="-.3 -.4 1.6" dir=".2 .3 -1" diffuse=".9 .9 .9"'
FIELDS = (
    _case('headlight', 'the headlight alone', '', ''),
    _case('headlight_off', 'no headlight: the constant light that is there when nothing shines', '', '<headlight active="false"/>'),
    _case('headlight_colours', 'a headlight with red ambient, green diffuse, blue gloss', '', '<headlight ambient=".3 0 0" diffuse="0 .6 0" specular="0 0 1"/>'),
    _case('directional', 'the sun', f'<light {SUN}/>'),
    _case('spot', 'a cone of light with a soft edge', f'<light {SPOT} cutoff="35"/>'),
    _case('spot_narrow', 'a narrow cone', f'<light {SPOT} cutoff="15"/>'),
    _case('spot_even', 'exponent 0: as bright at the edge as in the middle', f'<light {SPOT} cutoff="35" exponent="0"/>'),
    _case('spot_pointed', 'exponent 60: bright in the middle alone', f'<light {SPOT} cutoff="35" exponent="60"/>'),
    _case('point', 'a lamp between the things', '<light type="point" pos="0 -.5 .8" diffuse=".9 .9 .9"/>', quality='high', official=False,
          why='ours alone: the official renderer has no point lights'),
    _case('attenuation', 'darker with distance', f'<light {SPOT} cutoff="60" attenuation=".2 .3 .5"/>'),
    _case('ambient', 'ambient light of a lamp alone', '<light pos="0 0 2" cutoff="80" exponent="0" ambient=".5 .5 .4" diffuse="0 0 0" specular="0 0 0"/>'),
    _case('colours', 'yellow diffuse, cyan gloss', f'<light {SUN.replace(".8 .8 .8", ".8 .7 .1")} specular="0 1 1"/>'),
    _case('no_shadow', 'castshadow off', f'<light {SUN} castshadow="false"/>'),
    Case('light_geom_no_shadow', _lit(f'<light {SUN}/>', DARK, THINGS.replace('type="box"', 'type="box" castshadow="false"')), 'the box throws no shadow', size=SMALL,
         why=SPECKLED),
    _case('inactive', 'the sun is not active; the spot is', f'<light {SUN} active="false"/><light {SPOT} cutoff="35"/>'),
    _case('two_shadows', 'two suns, two shadows of two colours', '<light type="directional" pos="0 0 3" dir=".6 .3 -1" diffuse=".7 .2 .2"/>'
          '<light type="directional" pos="0 0 3" dir="-.6 .2 -1" diffuse=".2 .2 .8"/>'),
    _case('behind', 'a light from below shines on no floor', '<light type="directional" pos="0 0 -1" dir=".2 .4 1" diffuse=".8 .8 .8"/>', head=''),
    Case('shadows_fine', _lit(f'<light {SUN}/><light {SPOT.replace(".9 .9 .9", ".4 .4 .5")} cutoff="50"/>'), 'soft shadows of a sun and a lamp, as in the window on a GPU',
         quality='high', why=SOFT),
)
FOLLOWED = '''<mujoco><visual>%s<global azimuth="100" elevation="-35"/></visual><statistic center="0 0 .2" extent="1.6"/><worldbody>
  <geom type="plane" size="1.6 1.2 .1" rgba=".7 .7 .7 1"/>%s
  <body name="cart" pos="-.5 0 .2"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint axis="0 0 1"/><geom type="box" size=".2 .1 .1" rgba=".8 .4 .3 1"/>%s
    <body pos=".2 0 .1"><joint axis="0 1 0"/><geom type="capsule" size=".04" fromto="0 0 0 .3 0 .2" rgba=".3 .6 .4 1"/></body></body></worldbody></mujoco>'''
INNER = '<light name="l" mode="{mode}" {target} pos="{pos}" dir="0 .2 -1" type="spot" cutoff="25" exponent="1" diffuse=".9 .9 .9"/>'
MOVED = {'qpos': {0: 0.7, 1: 0.3, 2: 0.8, 3: 0.5}}


def _mode(mode, see, inside=True, target=''):
    light = INNER.format(mode=mode, target=target, pos='0 -.3 .9' if inside else '-.3 -.8 1')
    return Case(f'light_mode_{mode}', FOLLOWED % (DARK.replace('ambient="0 0 0"', 'ambient=".25 .25 .25"'), *(('', light) if inside else (light, ''))), see, given=MOVED,
                toggle=('light',), size=SMALL, why=CORNERS)


MODE_CASES = (
    _mode('fixed', 'the lamp turns and moves with the cart'),
    _mode('track', 'the lamp moves with the cart but does not turn'),
    _mode('trackcom', 'the lamp moves with the centre of mass'),
    _mode('targetbody', 'a lamp on the wall shines at the cart', False, 'target="cart"'),
    _mode('targetbodycom', 'a lamp on the wall shines at the centre of mass', False, 'target="cart"'),
)
HAND = '''<mujoco><visual><global azimuth="110" elevation="-35"/></visual><statistic center="0 0 .03" extent=".12"/><worldbody>
  <light pos="-.025 -.02 .13" dir=".3 .3 -1" type="directional"/><geom type="plane" size=".2 .2 .01" rgba=".7 .7 .7 1"/>
  <geom type="box" size=".02 .03 .006" pos="-.02 0 .04" rgba=".8 .5 .3 1"/>
  %s</worldbody></mujoco>''' % ''.join(f'<geom type="capsule" size=".005" fromto="{-0.035 + 0.011 * k} .03 .04 {-0.045 + 0.018 * k} .07 {0.045 - 0.012 * k}" rgba=".8 .6 .4 1"/>'
                                 for k in range(4))
ELEVATION = ' '.join(f'{(7 * i * j + 3 * i) % 10}' for i in range(9) for j in range(9))
LAND = f'''<mujoco><visual><global azimuth="110" elevation="-25"/></visual><statistic center="0 0 2" extent="50"/><asset><hfield name="land" nrow="9" ncol="9" size="40 40 6 1"
  elevation="{ELEVATION}"/></asset><worldbody><light pos="0 0 80" dir=".5 .3 -1" type="directional"/><geom type="hfield" hfield="land" rgba=".5 .6 .4 1"/>
  <geom type="box" size="1 1 8" pos="0 0 8" rgba=".8 .5 .3 1"/><geom size="3" pos="-14 8 12" rgba=".4 .5 .8 1"/>
  <geom type="cylinder" size=".5 6" pos="12 -8 8" rgba=".8 .8 .4 1"/></worldbody></mujoco>'''
SHADOWS = tuple(Case(f'shadow_{what}_{quality}', model, see, quality=quality, size=SMALL, why=SPECKLED if quality == 'classic' else SOFT)
                for what, model, see in (
                    ('hand', HAND, 'shadows of a hand of 10 cm, each finger\'s from its foot on'), ('land', LAND, 'shadows on 80 m of land, attached to what throws them'))
                for quality in ('classic', 'high'))
PHOTOMETRIC = '<light type="directional" pos="0 0 3" dir=".4 .3 -1" intensity="3000"/>'
RED = '<headlight active="auto" diffuse="1 0 0"/>'
OTHERS = (
    Case('shadow_coarse', _lit(f'<light {SUN}/>', DARK), 'a shadow map of 128 texels: steps along the edges', visual={'quality.shadowsize': 128}, size=SMALL, why=SPECKLED),
    Case('light_candela', _lit(PHOTOMETRIC, RED), 'physical look: a light with an intensity puts the red headlight out', official=False,
         look='physical', quality='medium', size=SMALL),
)
CASES = OTHERS + FIELDS + MODE_CASES + SHADOWS
