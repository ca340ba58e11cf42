"""How strong lights, environment and the film are in the physically based look, so that a model is as bright as in the classic one.

Nothing is measured in the picture, which would breathe as things move: the same grey ball in the middle of the model is lit both ways,
and the exposure is that which gives it the classic look's mean; lamps count as they stood at the model's start. Ambient light goes to the
surroundings, and so does most of the headlight, which in the classic look stands for them. Light colours are display colours there, so
their light is taken: then shadows are as deep.
"""
from dataclasses import dataclass, replace

import numpy as np

from render.gpu.lights import DIRECTIONAL, SPOT

GREY = 0.5              # display colour of the ball
HEADLIGHT_SHARE = 0.45  # of the headlight that stays a light
HEADLIGHT_AROUND = 0.12 # of the headlight that becomes light from everywhere
HEADLIGHT_MEAN = 0.6    # cosine under which what one sees is lit by it
FILL = 0.25             # light of the environment per mean light of the lamps, at least
ASIDE = 1.0             # of the model's extent: least distance at which a lamp that shines past its centre is computed
LAMP_TINT = 0.6         # of the colour of lamps: where several add up the classic look is white, and an eye gets used to it
NO_LIGHTS = 0.3         # ambient light of a scene without any
PHOTOMETRIC_LEVEL = 0.48    # mean display colour of the ball where lamps give candela, of which the classic look knows nothing
SAMPLES, BALL = 48, 0.35    # points on the ball; its radius over the model's extent
DARKEST = 1e-6
TONE_MIDDLE, TONE_CONTRAST, TONE_KNEE = 0.18, 1.2, 0.55     # as in shaders/lib/colour.glsl
BRIGHTER = 1.07         # than the classic mean, which is reached by more points that are quite white and more that are quite black


@dataclass(frozen=True, slots=True)
class Balance:
    """lights: without their ambient part; environment: what a white matt surface sends back of the environment on average; exposure: factor on all."""
    lights: list
    environment: float
    exposure: float


def light_of(colour):
    """Light of a display colour (sRGB), any shape."""
    colour = np.asarray(colour, float)
    return np.where(colour <= 0.04045, colour / 12.92, ((np.maximum(colour, 0) + 0.055) / 1.055) ** 2.4)


def display_of(light):
    """Display colour of light, 0..1."""
    light = np.clip(light, 0, 1)
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


def tone(light):
    """What is shown of grey light of any strength, below 1: the shader's curve."""
    light = TONE_MIDDLE * (np.maximum(light, 1e-6) / TONE_MIDDLE) ** TONE_CONTRAST
    room = 1 - TONE_KNEE
    return np.where(light <= TONE_KNEE, light, TONE_KNEE + room * (1 - np.exp(-np.maximum(light - TONE_KNEE, 0) / room)))


def balance(lights, scene) -> Balance:
    """lights: from gpu.lights.gather, the headlight first if it is on."""
    normals = _directions(SAMPLES)
    points = np.asarray(scene.look.center, float) + BALL * scene.look.extent * normals
    photometric = bool((scene.lights.view('intensity') > 0).any())
    (ambient, classic, lamps), fill, kept = np.zeros((3, SAMPLES)), 0.0, []
    for k, light in enumerate(lights):
        head = k == 0 and scene.headlight.active and not (photometric and scene.headlight.auto)
        rows = light.rows.copy()
        to, arrives = _beam(light, points, scene.look)
        ambient = ambient + arrives * _grey(rows[3])
        level = arrives * _grey(rows[4]) * (HEADLIGHT_MEAN if head else np.maximum((normals * to).sum(1), 0))
        classic += level
        rows[4, :3] = _grey(rows[4]) + LAMP_TINT * (rows[4, :3] - _grey(rows[4]))
        glance = _grey(light.rows[5]) / max(_grey(light.rows[4]), DARKEST)
        rows[3], rows[4] = 0, rows[4] if photometric else light_of(rows[4])
        level = level * _grey(rows[4]) / max(_grey(light.rows[4]), DARKEST)
        fill += FILL * float(level.mean())
        if head:
            rows[4] *= HEADLIGHT_SHARE
            fill += HEADLIGHT_AROUND * float(level.mean())
        rows[5] = min(glance, 1.0) * rows[4]
        lamps += level * (HEADLIGHT_SHARE if head else 1)
        kept.append(replace(light, rows=rows))
    ambient = float(ambient.mean()) if lights else NO_LIGHTS
    wanted = PHOTOMETRIC_LEVEL if photometric else BRIGHTER * float(np.mean(GREY * np.minimum(classic + ambient, 1)))
    around = max(float(light_of(ambient)), fill, DARKEST)
    return Balance(kept, around, _exposure(float(light_of(GREY)) * (lamps + around), wanted))


def _exposure(light, wanted):
    """The factor that makes the mean display colour of lights (n,) as wanted."""
    low, high = -12.0, 12.0
    reference = max(float(light.mean()), DARKEST)
    for _ in range(24):
        middle = 0.5 * (low + high)
        if float(display_of(tone(light * 2.0 ** middle / reference)).mean()) < wanted:
            low = middle
        else:
            high = middle
    return 2.0 ** low / reference


def _beam(light, points, look):
    """(unit vectors to a light (n, 3), how much of it arrives (n,)) at points (n, 3) about the model's centre, with the light where it was at the
    start; a lamp that shines past the centre is computed where it does shine, or all it meets would be too bright."""
    pos, direction = light.home
    if light.kind == DIRECTIONAL:
        return np.broadcast_to(-direction, points.shape), np.ones(len(points))
    if light.kind == SPOT:
        middle = np.asarray(look.center, float)
        ahead = max((middle - pos) @ direction, ASIDE * look.extent)
        if (middle - pos) @ direction < light.rows[1, 3] * np.linalg.norm(middle - pos):
            points = points + pos + ahead * direction - middle
    to = pos - points
    distance = np.maximum(np.linalg.norm(to, axis=1), 1e-6)
    to /= distance[:, None]
    constant, linear, quadratic, exponent = light.rows[2]
    arrives = 1 / np.maximum(constant + distance * (linear + distance * quadratic), 1e-9)
    if light.kind == SPOT:
        along = -to @ direction
        arrives *= np.where(along < light.rows[1, 3], 0, np.maximum(along, 1e-6) ** exponent)
    return to, arrives


def _grey(colour):
    return float(np.dot(colour[:3], (0.2126, 0.7152, 0.0722)))


def _directions(n):
    """Normals (n, 3) of what one usually sees: the upper two thirds of a ball."""
    k = np.arange(n) + 0.5
    z, turn = 1 - 1.33 * k / n, 2.39996323 * k
    flat = np.sqrt(1 - z * z)
    return np.stack([flat * np.cos(turn), flat * np.sin(turn), z], axis=1)
