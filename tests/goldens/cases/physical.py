"""The physically based look (docs/look.md). Its limits are wide: what is judged by eye may be tuned a little."""
from tests.goldens.case import Case

TUNED = (1.8, 36.0)


def _physical(name, see, model='polished.xml', quality='medium', **more):
    return Case(name, model, see, look='physical', quality=quality, limits=TUNED, size=(240, 180), official=False, **more)


CASES = (
    _physical('physical', 'dull to glossy red, iron, gold, chrome that mirror the sky and the floor; glass, a lamp; soft contact shadows'),
    _physical('physical_low', 'the same on software GL: plainer gloss', quality='low'),
    _physical('physical_no_shadow', 'without shadows', toggle=('shadow',)),
    _physical('physical_no_mirror', 'the floor mirrors nothing but the sky', toggle=('reflection',)),
    _physical('physical_near', 'gold and chrome from near', camera={'lookat': (-.12, .2, .13), 'distance': .75, 'elevation': -38}),
    _physical('physical_forces', 'arrows as bright as their patches', model='moving.xml', given={'qvel': {0: 1.2, 12: -1.5, 36: 1.2, 38: .8, 42: 4.0}}, toggle=('momentum',)),
    _physical('physical_studio', 'without a sky: metals mirror a studio, and little light is around', toggle=('skybox',),
              visual={'headlight.ambient': (.02, .02, .03), 'headlight.diffuse': (.03, .03, .04)}),
    _physical('physical_level', 'from as high as things: their images in the satin floor grow duller away from it', camera={'elevation': -9}),
    _physical('physical_layers', 'images of opacity (the floor is seen through the holes), roughness, normals, light, all in one, metal', model='layers.xml'),
    _physical('physical_layers_low', 'the same on software GL', model='layers.xml', quality='low'),
    _physical('physical_shapes', 'every shape in soft light from the sky', model='shapes.xml'),
)
