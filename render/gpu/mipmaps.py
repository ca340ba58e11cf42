"""Mipmaps made level by level, as the driver makes them within one call (glGenerateMipmap), so that something can be done between two levels (fences.py).

Each level is the one before drawn half as large, with linear filtering: the mean of four pixels where the sides are even (OpenGL 3.3, section 3.8.10).
"""
import ctypes

import moderngl

TEXTURE_2D, CUBE_FACE, WIDTH, INTERNAL_FORMAT = 0x0DE1, 0x8515, 0x1000, 0x1003
READ_FRAMEBUFFER, DRAW_FRAMEBUFFER, COLOR_ATTACHMENT0, COLOR_BIT, LINEAR = 0x8CA8, 0x8CA9, 0x8CE0, 0x4000, 0x2601
SCISSOR_TEST, FRAMEBUFFER_SRGB, RGBA, UNSIGNED_BYTE = 0x0C11, 0x8DB9, 0x1908, 0x1401
_int, _uint, _pointer = ctypes.c_int, ctypes.c_uint, ctypes.c_void_p
_SHORT = (('glGenFramebuffers', _int, _pointer), ('glDeleteFramebuffers', _int, _pointer), ('glBindFramebuffer', _uint, _uint), ('glFramebufferTexture2D', _uint, _uint, _uint, _uint, _int),
          ('glGetTexLevelParameteriv', _uint, _int, _uint, _pointer), ('glTexImage2D', _uint, *5 * (_int,), _uint, _uint, _pointer), ('glEnable', _uint), ('glDisable', _uint))
_LONG = ('glBlitFramebuffer', *8 * (_int,), _uint, _uint)


class Mipmaps:
    """Of one context, which must be current in every call. address: GL function's address by name. Raises LookupError where a function is missing."""

    def __init__(self, address):
        for rows, kind in ((_SHORT, ctypes.PYFUNCTYPE), ((_LONG,), ctypes.CFUNCTYPE)):
            for name, *arguments in rows:
                at = address(name)
                if not at:
                    raise LookupError(name)
                setattr(self, '_' + name[2:], kind(None, *arguments)(at))

    def build(self, texture, between):
        """All levels of a texture, which is bound, from the first; between() is called before each is drawn. Binds other framebuffers, without scissors: the caller binds its own again."""
        faces = [CUBE_FACE + k for k in range(6)] if isinstance(texture, moderngl.TextureCube) else [TEXTURE_2D]
        for face in faces:
            self._make_room(face, *texture.size)
        pair = (_uint * 2)()
        self._GenFramebuffers(2, pair)
        self._BindFramebuffer(READ_FRAMEBUFFER, pair[0])
        self._BindFramebuffer(DRAW_FRAMEBUFFER, pair[1])
        self._Disable(SCISSOR_TEST)
        self._Enable(FRAMEBUFFER_SRGB)      # colours are averaged as light
        for face in faces:
            width, height = texture.size
            for level in range(1, max(width, height).bit_length()):
                small = max(1, width >> 1), max(1, height >> 1)
                self._FramebufferTexture2D(READ_FRAMEBUFFER, COLOR_ATTACHMENT0, face, texture.glo, level - 1)
                self._FramebufferTexture2D(DRAW_FRAMEBUFFER, COLOR_ATTACHMENT0, face, texture.glo, level)
                between()
                self._BlitFramebuffer(0, 0, width, height, 0, 0, *small, COLOR_BIT, LINEAR)
                width, height = small
        self._Disable(FRAMEBUFFER_SRGB)
        self._DeleteFramebuffers(2, pair)

    def _make_room(self, face, width, height):
        """Levels that are not there yet, without content."""
        known = _int()
        self._GetTexLevelParameteriv(face, 1, WIDTH, ctypes.byref(known))
        if known.value == max(1, width >> 1):
            return
        self._GetTexLevelParameteriv(face, 0, INTERNAL_FORMAT, ctypes.byref(known))
        for level in range(1, max(width, height).bit_length()):
            self._TexImage2D(face, level, known.value, max(1, width >> level), max(1, height >> level), 0, RGBA, UNSIGNED_BYTE, None)
