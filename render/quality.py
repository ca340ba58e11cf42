"""How much a picture may cost, chosen from the GL driver's name."""
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Quality:
    """samples: multisampling (0 off). shadow_size: largest shadow map side [texel]. pcf: taps per side of the shadow filter (0 hard as the
    classic look, 1 bilinear). reflection: reflection picture's size over the picture's. lod: coarser meshes when small. detail: factor on
    slices and stacks. anisotropy: texture filter. software: redraw only on change, QImage host. fps: cap. cascades: shadow maps a
    directional light may have; 0: no light has any, but all shine as if they had. mirrors: reflecting surfaces drawn as such. fine_mirrors: whether shadows and smooth edges are seen in
    them. penumbra: edges of shadows spread with their distance from what throws them. faithful: draw what the official renderer draws
    and no more: its shadow maps, the first mirror alone, no point lights. Of the physically based look: occlusion: rays of ambient occlusion
    per pixel (0 none); glossy: the environment is seen in smooth surfaces, not only their colour.
    parts: software GL draws ground and sky apart where nothing else is, which takes planning that small pictures are not worth.
    coarser: levels of detail by which everything is drawn coarser than its size asks for.
    mirror_samples: what is seen in mirrors has as many samples as the picture, as officially (with fine_mirrors it has anyway).
    corners: light is computed at the corners of triangles a few pixels large, all of their colour where they are hardly larger than pixels, which
    software GL draws in half the time or less."""
    name: str
    samples: int
    shadow_size: int
    pcf: int
    reflection: float
    lod: bool
    detail: float
    anisotropy: float
    software: bool
    fps: int
    cascades: int
    mirrors: int
    fine_mirrors: bool
    penumbra: bool = False
    faithful: bool = False
    occlusion: int = 0
    glossy: bool = False
    corners: bool = False
    mirror_samples: bool = False
    coarser: int = 0
    parts: bool = True


QUALITIES = MappingProxyType({q.name: q for q in (
    Quality('lowest', 0, 0, 0, 0.0, True, 0.6, 1, True, 30, 0, 0, False, corners=True),
    Quality('low', 0, 1024, 1, 0.5, True, 0.75, 1, True, 30, 2, 16, False, occlusion=8, corners=True),
    Quality('medium', 4, 2048, 3, 0.5, True, 1.0, 1, False, 60, 3, 32, False, occlusion=12, glossy=True),
    Quality('high', 4, 4096, 3, 1.0, True, 1.0, 8, False, 60, 4, 64, True, True, occlusion=20, glossy=True),
    Quality('classic', 4, 16384, 0, 1.0, False, 1.0, 1, False, 60, 1, 1, False, faithful=True, occlusion=12, glossy=True, mirror_samples=True),     # as the official picture
)})

SOFTWARE_DRIVERS = ('llvmpipe', 'softpipe', 'swrast', 'swiftshader', 'software', 'gdi generic')


def is_software(gl_renderer: str) -> bool:
    """Whether GL_RENDERER names a rasteriser on the CPU."""
    return any(word in gl_renderer.lower() for word in SOFTWARE_DRIVERS)


def choose(gl_renderer: str) -> Quality:
    """Quality for a driver: low on software GL, otherwise high."""
    return QUALITIES['low' if is_software(gl_renderer) else 'high']
