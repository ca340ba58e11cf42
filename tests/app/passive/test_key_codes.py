"""Keys by GLFW's numbers."""
from PyQt6.QtCore import Qt

from app.passive.key_codes import glfw_code

K = Qt.Key


def test_letters_digits_and_blank_are_their_characters():
    assert [glfw_code(key) for key in (K.Key_A, K.Key_Z, K.Key_0, K.Key_9, K.Key_Space, K.Key_Minus)] == [65, 90, 48, 57, 32, 45]


def test_other_keys_have_the_numbers_of_glfw():
    keys = (K.Key_Escape, K.Key_Return, K.Key_Tab, K.Key_Backspace, K.Key_Right, K.Key_Left, K.Key_Down, K.Key_Up,
            K.Key_PageUp, K.Key_End, K.Key_F1, K.Key_F12, K.Key_Shift, K.Key_Control)
    assert [glfw_code(key) for key in keys] == [256, 257, 258, 259, 262, 263, 264, 265, 266, 269, 290, 301, 340, 341]


def test_keys_of_the_keypad_are_told_apart():
    assert glfw_code(K.Key_5, keypad=True) == 325 and glfw_code(K.Key_5) == 53 and glfw_code(K.Key_Enter, keypad=True) == 335


def test_what_glfw_does_not_know_has_no_number():
    assert glfw_code(K.Key_Launch1) == -1 and glfw_code(K.Key_Odiaeresis) == -1
