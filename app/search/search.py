"""A search in pieces: what is being typed is never kept waiting, however many things there are.

    search = Search(sources, query, recent);  while not search.done: search.go_on(0.004);  search.best()
"""
import heapq
import time
from collections.abc import Iterator, Sequence

from app.search.entries import Entry, Source
from app.search.fuzzy import score, words_of

MOST = 100          # entries shown
PIECE = 500         # texts between two looks at the clock
RECENT = 30.0       # added to what was used last; less for what was used before
KEPT_RECENT = 40


class Search:
    """One query over sources in two rounds: words as they stand, then letters that lie apart where too little was found. recent: keys of
    entries, the one used last first."""

    def __init__(self, sources: Sequence[Source], query: str, recent: Sequence[str] = ()):
        self.words = words_of(query)
        self._sources = sources
        self._recent = {key: RECENT * (1 - i / KEPT_RECENT) for i, key in enumerate(recent)}
        self._found: dict[tuple[int, int], float] = {}
        self._work = self._rounds() if self.words else iter(())
        self.done = not self.words

    def go_on(self, seconds: float, clock=time.perf_counter) -> None:
        """Search for about so long."""
        end = clock() + seconds
        for _ in self._work:
            if clock() >= end:
                return
        self.done = True

    def _rounds(self) -> Iterator[None]:
        for scattered in (False, True):
            if scattered and len(self._found) >= MOST:
                return
            for number, source in enumerate(self._sources):
                yield from self._one(number, source, scattered)

    def _one(self, number: int, source: Source, scattered: bool) -> Iterator[None]:
        texts, words, found, boost = source.texts(), self.words, self._found, source.boost
        yield
        first = words[0]
        for start in range(0, len(texts), PIECE):
            for i, text in enumerate(texts[start:start + PIECE], start):
                if not text or (not scattered and first not in text) or (number, i) in found:
                    continue
                fits = score(words, text, scattered)
                if fits:
                    found[number, i] = fits + boost
            yield

    def best(self) -> list[Entry]:
        """What fits best so far, what was used lately before others that fit as well. Without a query: what was used lately, then all that is listed."""
        if not self.words:
            return self._unasked()
        top = heapq.nsmallest(2 * MOST, self._found, key=lambda place: (-self._found[place], place))
        entries = [(self._found[place], self._sources[place[0]].entry(place[1])) for place in top]
        entries.sort(key=lambda pair: -pair[0] - self._recent.get(pair[1].key, 0.0))
        return [entry for _fits, entry in entries[:MOST]]

    def _unasked(self) -> list[Entry]:
        entries = {}
        for key in self._recent:
            for source in self._sources:
                entry = source.at(key)
                if entry is not None:
                    entries[key] = entry
        for source in self._sources:
            if source.listed:
                for i in range(len(source.titles())):
                    entry = source.entry(i)
                    entries.setdefault(entry.key, entry)
        return list(entries.values())
