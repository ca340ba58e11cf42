// The server's clock by ours, and how long it takes until what the hand does is seen.

export const PINGS = 8, AGAIN = 10000;   // exchanges of a measurement, ms until the next

export class Clock {
  constructor() { this.exchanges = []; }

  // sent, back: our clock; received, answered: the server's [ms].
  exchange(sent, received, answered, back) {
    const delay = (back - sent) - (answered - received);
    if (delay < 0) return;
    this.exchanges.push({ delay, offset: ((received - sent) + (answered - back)) / 2 });
    if (this.exchanges.length > PINGS) this.exchanges.shift();
  }

  get best() { return this.exchanges.reduce((best, one) => (best === null || one.delay < best.delay ? one : best), null); }
}

// Times from a message to the poses that hold its effect.
export class Latency {
  constructor(size = 64) { this.size = size; this.sent = new Map(); this.found = []; this.newest = -1; }

  send(seq, now) {
    this.sent.set(seq, now);
    if (this.sent.size > 512) this.sent.delete(this.sent.keys().next().value);
  }

  applied(seq, now) {
    if (seq <= this.newest) return;
    this.newest = seq;
    const sent = this.sent.get(seq);
    for (const older of this.sent.keys()) { if (older > seq) break; this.sent.delete(older); }
    if (sent === undefined) return;
    this.found.push(now - sent);
    if (this.found.length > this.size) this.found.shift();
  }

  get median() {
    if (!this.found.length) return null;
    const sorted = [...this.found].sort((a, b) => a - b);
    return sorted[sorted.length >> 1];
  }
}

// At most so many of a name a second.
export class Pace {
  constructor() { this.next = new Map(); }

  due(name, now, hertz) {
    const next = this.next.get(name) || 0;
    if (now < next) return false;
    this.next.set(name, Math.max(next + 1000 / hertz, now - 500 / hertz));   // a beat that was missed is not made up for
    return true;
  }
}
