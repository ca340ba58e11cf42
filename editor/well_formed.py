"""Whether a text may be a model already: XML whose elements are all closed. Much quicker than reading it as a model."""
from xml.parsers import expat

LONGEST = 1 << 20   # characters: a longer text is left to the compiler's thread


def is_well_formed(text: str) -> bool:
    """Whether a text is well-formed XML; False, too, for one that is too long to look at between two keys."""
    if len(text) > LONGEST:
        return False
    try:
        expat.ParserCreate().Parse(text.encode("utf-8", "surrogatepass"), True)
    except (expat.ExpatError, ValueError):
        return False
    return True
