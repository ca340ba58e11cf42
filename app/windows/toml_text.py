"""Plain values as TOML text: the standard library only reads it."""
import json


def dumps(content: dict, comment: str = "") -> str:
    """Text of a table: values first, then tables in it as sections. Keys are identifiers; values strings, numbers, booleans and lists of these."""
    lines = [f"# {comment}"] if comment else []
    _add(lines, content, "")
    return "\n".join(lines) + "\n"


def _add(lines: list[str], table: dict, path: str) -> None:
    lines += [f"{key} = {value_text(value)}" for key, value in table.items() if not isinstance(value, dict)]
    for key, value in table.items():
        if isinstance(value, dict):
            inner = f"{path}.{key}" if path else key
            lines += ["", f"[{inner}]"]
            _add(lines, value, inner)


def value_text(value) -> str:
    """One value. Raises TypeError for what TOML has no word for here."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)   # TOML's basic strings have JSON's escapes
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(value_text(item) for item in value) + "]"
    raise TypeError(f"no TOML for {value!r}")
