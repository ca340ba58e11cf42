"""Messages the other way round, for programs that send them: the text that `decode` reads."""
from __future__ import annotations

import json

from app.inputs.protocol.decode import VERSION


def encode(kind: str, seq: int, t: float, **more) -> str:
    """JSON text of one message; t [ms] by the sender's own clock. Raises ValueError for a number that is not finite."""
    return json.dumps({"v": VERSION, "seq": seq, "t": t, "kind": kind, **more}, allow_nan=False, separators=(",", ":"))
