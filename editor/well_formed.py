"""Whether a text may be a model already: XML whose elements are all closed, or what the reader takes for it. Much quicker than reading it as a model."""
from xml.parsers import expat

from physics.mjcf import lenient

LONGEST = 1 << 20   # characters: a longer text is not looked at between two keys


def is_well_formed(text: str, longest: int | None = LONGEST) -> bool:
    """Whether the reader makes elements of a text, which may be no XML to the letter (physics.mjcf.lenient); False, too, for one of more characters than that, None for any."""
    if longest is not None and len(text) > longest:
        return False
    parser = expat.ParserCreate(encoding="utf-8")       # whatever the text says of its encoding, these are characters
    parser.StartDoctypeDeclHandler = _refused
    try:
        parser.Parse(text.encode("utf-8", "surrogatepass"), True)
    except (expat.ExpatError, ValueError):
        return lenient.scan(text) is not None
    return True


def _refused(*_doctype) -> None:
    raise ValueError
