"""Pictures from the bytes of a file, as textures take them: PNG and what else Pillow reads, and KTX containers."""
from io import BytesIO
from types import MappingProxyType

import numpy as np

from render.ktx import is_ktx, read_ktx

_MODES = MappingProxyType({1: 'L', 2: 'LA', 3: 'RGB', 4: 'RGBA'})


def read_image(data: bytes, channels: int) -> np.ndarray:
    """(height, width, channels) uint8, row 0 on top; of a container what it holds (ktx.py). Raises ValueError with the reason."""
    if is_ktx(data):
        return read_ktx(data)
    from PIL import Image
    try:
        with Image.open(BytesIO(data)) as image:
            if image.mode.startswith('I'):     # 16 bits a channel
                image = image.point(lambda v: v / 256).convert('L')
            pixels = np.array(image.convert(_MODES[channels]))
    except (OSError, SyntaxError, Image.DecompressionBombError) as problem:
        raise ValueError(str(problem)) from None
    return pixels.reshape(*pixels.shape[:2], channels)
