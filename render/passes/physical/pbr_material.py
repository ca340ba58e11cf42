"""What the physically based look paints instances with, where a material speaks the classic look's language and where it speaks its own.

    roughness   as given; else that whose GGX lobe is as wide as the classic highlight of exponent 128 shininess: (2 / (n + 2)) ** (1/4)
    metallic    as given; else 0: a specular colour cannot be told from a metal's
    reflectance straight on of what is no metal: 0.08 specular, so that the default of 0.5 is the 4 % of plastic, glass and water

Both numbers fit into one: up to 0.08 the reflectance of a dielectric, above it how metallic (shaders/lib/physical.glsl reads it).
"""
import numpy as np

DULLEST_METAL = 0.08
DECOR = -1.0        # roughness of what is no thing of the model but a drawing on it


def pbr_rows(specular, shininess, metallic, roughness, decor):
    """(n, 2): reflectance or metal, roughness; the arguments are columns of n instances, shininess 0..1, metallic and roughness -1 if not given."""
    specular, shininess, metallic, roughness = (np.asarray(column, float) for column in (specular, shininess, metallic, roughness))
    dull = np.clip(DULLEST_METAL * specular, 0, DULLEST_METAL)
    first = np.where(metallic > 0, DULLEST_METAL + (1 - DULLEST_METAL) * np.clip(metallic, 0, 1), dull)
    derived = (2 / (128 * np.clip(shininess, 0, 1) + 2)) ** 0.25
    second = np.where(decor, DECOR, np.where(roughness >= 0, np.clip(roughness, 0, 1), derived))
    return np.stack([first, second], axis=-1)
