// The page of phones and tablets without WebXR: two sticks move and turn, the phone's own turn is taken where that is wanted.

import { linked } from './controls.js';
import { heldTurn, stick } from './orientation.js';

const HERTZ = 60, SPEED = 0.25, FAR = 20;   // samples a second; m/s of a full stick, and m at most, where the phone's pose is told
const link = linked(), axes = { x: 0, y: 0, z: 0, rz: 0, trigger: 0 }, held = new Set();
let turn = null, place = [0, 0, 0], before = performance.now();

function stickOn(id, take) {
  const pad = document.getElementById(id), knob = pad.firstElementChild;
  const move = (event) => {
    const box = pad.getBoundingClientRect(), radius = box.width / 2;
    const [x, y] = stick(event.clientX - box.left - radius, event.clientY - box.top - radius, radius);
    knob.style.left = 50 + 40 * x + '%';
    knob.style.top = 50 - 40 * y + '%';
    take(x, y);
  };
  const end = (event) => { held.delete(event.pointerId + id); knob.style.left = knob.style.top = '50%'; take(0, 0); };
  pad.addEventListener('pointerdown', (event) => { pad.setPointerCapture(event.pointerId); held.add(event.pointerId + id); move(event); });
  pad.addEventListener('pointermove', (event) => { if (held.has(event.pointerId + id)) move(event); });
  for (const kind of ['pointerup', 'pointercancel', 'lostpointercapture']) pad.addEventListener(kind, end);
}

stickOn('left', (x, y) => { axes.x = y; axes.y = -x; });
stickOn('right', (x, y) => { axes.z = y; axes.rz = -x; });
document.getElementById('grip').addEventListener('input', ({ target }) => { axes.trigger = Number(target.value); });

const tilt = document.getElementById('tilt');
const turned = (event) => { if (event.alpha !== null) turn = heldTurn(event.alpha, event.beta, event.gamma); };
tilt.addEventListener('click', async () => {
  const on = tilt.getAttribute('aria-pressed') !== 'true';
  tilt.setAttribute('aria-pressed', on);
  turn = null;
  if (!on) { window.removeEventListener('deviceorientation', turned); return; }
  // iPhones ask their user
  if (window.DeviceOrientationEvent && DeviceOrientationEvent.requestPermission && await DeviceOrientationEvent.requestPermission() !== 'granted') return;
  window.addEventListener('deviceorientation', turned);
});

// While a finger is on a stick the drive is clutched.
setInterval(() => {
  const time = performance.now(), h = Math.min((time - before) / 1000, 0.1);
  before = time;
  place = [axes.x, axes.y, axes.z].map((pull, k) => Math.min(Math.max(place[k] + SPEED * h * pull, -FAR), FAR));
  link.sample('phone', HERTZ, 'pose', { source: 'phone', ...(turn ? { p: place, q: turn } : {}), axes, buttons: { squeeze: held.size > 0 } });
}, 1000 / HERTZ);
