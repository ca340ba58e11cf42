"""A film in the making, the same in a process of its own and in a command: frame states are drawn one after the other and encoded meanwhile.

    add(snapshot) --OffscreenRenderer--> picture --Encoder (queue, thread)--> file
"""
from __future__ import annotations

from app.film.encoder import Encoder
from app.film.offscreen_renderer import OffscreenRenderer, Texts, time_caption
from app.film.plan import FilmPlan
from app.film.writers import film_writer
from physics.runtime.snapshot import Snapshot


class Recording:
    """Makes the film of a FilmPlan with an OffscreenRenderer; `encoder` says how far it is."""

    def __init__(self, plan: FilmPlan, renderer: OffscreenRenderer):
        self._plan, self._renderer = plan, renderer
        self._size = plan.drawn_size
        self.encoder = Encoder(film_writer(plan.path, self._size, plan.rate, plan.encoding, plan.codec, plan.transparent))

    def add(self, snapshot: Snapshot, options, camera, state=None) -> None:
        """Draw a frame state and hand it to the encoder, waiting for room there. Raises FilmError."""
        plan = self._plan
        caption = time_caption(snapshot.time, plan.speed) if plan.caption else ""
        self.encoder.put(self._renderer.shot(snapshot, options, camera, self._size, Texts(plan.labels, caption), plan.transparent, state))

    def end(self) -> None:
        """No more frame states: the film is completed; without any there is none. Returns at once."""
        self.encoder.end() if self.encoder.taken else self.encoder.abandon()
