// The socket to the workbench: says hello with the token of the address, numbers what it sends, measures the clock, and hands on what comes.

import { AGAIN, Clock, Latency, PINGS, Pace } from './clock.js';
import { readFrame } from './frames.js';

const VERSION = 1, FULL = 32768;   // bytes that wait in the browser, above which poses are left out: they would come late

export const now = () => performance.timeOrigin + performance.now();

export class Link extends EventTarget {
  constructor(token, name, watch = false) {
    super();
    this.token = token; this.name = name; this.watch = watch;
    this.seq = 0; this.controls = false; this.welcome = false; this.cameras = []; this.lamp = 'disarmed'; this.reason = '';
    this.clock = new Clock(); this.latency = new Latency(); this.pace = new Pace();
  }

  connect() {
    const socket = this.socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/socket`);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => this.send('hello', { token: this.token, name: this.name, watch: this.watch });
    socket.onmessage = (event) => (typeof event.data === 'string' ? this.text(JSON.parse(event.data)) : this.binary(event.data));
    socket.onclose = () => this.closed();
  }

  close() { if (this.socket) this.socket.close(); }

  get open() { return this.socket && this.socket.readyState === WebSocket.OPEN; }

  send(kind, more) {
    if (!this.open) return -1;
    const t = now(), seq = this.seq++;
    this.socket.send(JSON.stringify({ v: VERSION, seq, t, kind, ...more }));
    return seq;
  }

  // A sample, if it may control and the socket keeps up; so many of this name a second at most.
  sample(name, hertz, kind, more) {
    if (!this.controls || !this.open || this.socket.bufferedAmount > FULL || !this.pace.due(name, now(), hertz)) return;
    const seq = this.send(kind, more);
    this.latency.send(seq, now());
  }

  event(event) { this.send('event', { event }); }

  tell(kind, detail) { this.dispatchEvent(new CustomEvent(kind, { detail })); }

  text(message) {
    if (message.kind === 'welcome') {
      this.welcome = true; this.controls = message.controls; this.cameras = message.cameras;
      this.measure();
    } else if (message.kind === 'role') this.controls = message.controls;
    else if (message.kind === 'cameras') this.cameras = message.cameras;
    else if (message.kind === 'refused') this.reason = message.reason;
    else if (message.kind === 'pong') this.pong(message);
    this.tell(message.kind, message);
  }

  binary(buffer) {
    const frame = readFrame(buffer);
    if (frame.poses) {
      this.lamp = frame.lamp;
      this.latency.applied(frame.seq, now());
      this.tell('poses', frame);
    } else if (frame.jpeg) this.tell('picture', frame);
    else if (frame.packed) this.tell('geometry', frame);
  }

  measure() {
    clearTimeout(this.timer);
    this.left = PINGS + 1;   // each tells the server of the one before
    this.ping();
  }

  ping(last) { this.send('ping', last ? { last } : {}); }

  pong({ t, received, sent }) {
    const back = now();
    this.clock.exchange(t, received, sent, back);
    this.left -= 1;
    if (this.left > 0) setTimeout(() => this.ping([t, received, sent, back]), 30);
    else this.timer = setTimeout(() => this.measure(), AGAIN);
  }

  closed() {
    clearTimeout(this.timer);
    this.welcome = this.controls = false; this.lamp = 'lost';
    this.tell('closed', { reason: this.reason });
  }
}
