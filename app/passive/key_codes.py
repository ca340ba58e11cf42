"""Keys as scripts know them: the numbers of GLFW, which the official viewer hands to a key callback."""
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from PyQt6.QtCore import Qt

K = Qt.Key
LAST_ASCII = 96     # up to here both call a key by its character, letters in capitals
_FIRST_F, _FIRST_PAD = 290, 320     # F1, the keypad's 0
GLFW: Mapping[int, int] = MappingProxyType({
    K.Key_Escape: 256, K.Key_Return: 257, K.Key_Tab: 258, K.Key_Backtab: 258, K.Key_Backspace: 259, K.Key_Insert: 260, K.Key_Delete: 261, K.Key_Right: 262,
    K.Key_Left: 263, K.Key_Down: 264, K.Key_Up: 265, K.Key_PageUp: 266, K.Key_PageDown: 267, K.Key_Home: 268, K.Key_End: 269, K.Key_CapsLock: 280,
    K.Key_ScrollLock: 281, K.Key_NumLock: 282, K.Key_Print: 283, K.Key_Pause: 284, K.Key_Enter: 335, K.Key_Shift: 340, K.Key_Control: 341, K.Key_Alt: 342,
    K.Key_Meta: 343, K.Key_AltGr: 346, K.Key_Menu: 348, **{K(K.Key_F1 + n): _FIRST_F + n for n in range(25)},
})
PAD: Mapping[int, int] = MappingProxyType({
    **{K(K.Key_0 + n): _FIRST_PAD + n for n in range(10)}, K.Key_Period: 330, K.Key_Comma: 330, K.Key_Slash: 331, K.Key_Asterisk: 332, K.Key_Minus: 333,
    K.Key_Plus: 334, K.Key_Enter: 335, K.Key_Equal: 336,
})


def glfw_code(key: int, keypad: bool = False) -> int:
    """Number of a key by Qt's, -1 for one that GLFW has no number for. A character that needs Shift is that character: layouts differ."""
    if keypad and key in PAD:
        return PAD[key]
    if key in GLFW:
        return GLFW[key]
    return int(key) if 32 <= key <= LAST_ASCII else -1
