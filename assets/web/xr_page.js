// The page of headsets, and of phones that know where they are: the model stands in the room, hands and controllers are told, pulses are felt.

import { linked } from './controls.js';
import { marksOf, pulse, readDevices } from './devices.js';
import { Placement, SceneFrame, positionFromXR } from './frames.js';
import { unpacked } from './geometry.js';
import { multiply, perspective } from './matrix.js';
import { Renderer } from './renderer.js';

const link = linked(), canvas = document.getElementById('view'), overlay = document.getElementById('overlay');
const gl = canvas.getContext('webgl2', { xrCompatible: true, alpha: true, antialias: true });
const renderer = gl && new Renderer(gl);
const TURN = Math.PI / 6, FELT = 120;   // radian of one flick of a stick; ms that a pulse colours a bare hand
let geometry = null, poses = null, placement = new Placement(), scene = new SceneFrame(), session = null, placed = false, flicked = false;
const touch = { left: 0, right: 0 }, held = { phone: false, axes: { trigger: 0 }, buttons: { squeeze: false } };

link.addEventListener('geometry', async ({ detail }) => {
  const found = await unpacked(detail.packed);
  geometry = found;
  placed = false;
  if (renderer) renderer.load(found, detail.generation);
});
link.addEventListener('poses', ({ detail }) => { poses = detail; });
link.addEventListener('scene', ({ detail }) => { scene = new SceneFrame(detail.scale, detail.yaw, detail.pos); });
link.addEventListener('haptic', ({ detail }) => {
  if (session) pulse(session, detail.side, detail.strength, detail.ms);
  for (const side of ['left', 'right']) if (!detail.side || detail.side === side) touch[side] = Math.max(touch[side], detail.strength);
});

// Before a session: the model as the canvas shows it.
function outside(time) {
  if (session) return;
  requestAnimationFrame(outside);
  if (!renderer || !geometry || !poses || poses.generation !== renderer.generation) return;
  canvas.width = canvas.clientWidth; canvas.height = canvas.clientHeight;
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.viewport(0, 0, canvas.width, canvas.height);
  renderer.place(poses.poses);
  renderer.mark([]);
  renderer.begin(false);
  const [x, y, z] = geometry.center, away = 1.8 * geometry.extent, round = new Placement(time / 8000, [0, 0, 0]);
  const back = round.position([-away, 0, 0.5 * away]), eye = new Placement(round.yaw, [x + back[0], y + back[1], z + back[2]]).matrix();
  const down = Math.atan(0.5), c = Math.cos(down), s = Math.sin(down);
  const seen = multiply(new Float32Array([1, 0, 0, 0, 0, c, s, 0, 0, -s, c, 0, 0, 0, 0, 1]), eye);
  renderer.draw(seen, perspective(0.8, canvas.width / canvas.height, 0.01 * geometry.extent, 50 * geometry.extent), 'disarmed');
}
requestAnimationFrame(outside);

async function enter(mode) {
  const wanted = { requiredFeatures: ['local-floor'], optionalFeatures: ['hand-tracking', 'dom-overlay'], domOverlay: { root: overlay } };
  session = await navigator.xr.requestSession(mode, wanted);
  held.phone = mode === 'immersive-ar' && Boolean(session.domOverlayState) && session.domOverlayState.type === 'screen';
  document.getElementById('phone').hidden = !held.phone;
  session.addEventListener('end', () => { session = null; document.getElementById('phone').hidden = true; requestAnimationFrame(outside); });
  await session.updateRenderState({ baseLayer: new XRWebGLLayer(session, gl), depthNear: 0.02, depthFar: 200 });
  const reference = await session.requestReferenceSpace('local-floor');
  placed = false;
  session.requestAnimationFrame((time, frame) => draw(frame, reference, mode === 'immersive-ar'));
}

function draw(frame, reference, passthrough) {
  const { session: running } = frame;
  running.requestAnimationFrame((time, next) => draw(next, reference, passthrough));
  let { found, viewer } = readDevices(frame, reference, running, placement, held);
  if (!viewer) return;
  const head = positionFromXR(viewer.transform.position);
  if (!placed && geometry) {
    placement = Placement.before(geometry.center, geometry.extent, head);
    placed = true;
    ({ found, viewer } = readDevices(frame, reference, running, placement, held));
  }
  for (const { name, hertz, kind, body } of found) link.sample(name, hertz, kind, body);
  turn(found, head);
  const layer = running.renderState.baseLayer;
  gl.bindFramebuffer(gl.FRAMEBUFFER, layer.framebuffer);
  renderer.begin(passthrough);
  const ready = poses && poses.generation === renderer.generation;
  if (ready) renderer.place(poses.poses);
  const moved = link.controls ? scene : new SceneFrame();     // by the hands of who controls, who alone sees it so
  renderer.mark(marksOf(found, touch).map((mark) => moved.mark(mark)));
  for (const side of ['left', 'right']) touch[side] = Math.max(0, touch[side] - 16 / FELT);
  const room = multiply(placement.matrix(), moved.inverse());
  for (const view of viewer.views) {
    const { x, y, width, height } = layer.getViewport(view);
    gl.viewport(x, y, width, height);
    renderer.draw(multiply(view.transform.inverse.matrix, room), view.projectionMatrix, link.lamp);
  }
}

// A flick of the left stick turns the room about the head; nothing is driven meanwhile, so that no target jumps.
function turn(found, head) {
  const left = found.find(({ kind, body }) => kind === 'pose' && body.source === 'left'), x = left && left.body.axes ? left.body.axes.stickx || 0 : 0;
  if (Math.abs(x) < 0.3) flicked = false;
  else if (Math.abs(x) > 0.7 && !flicked && link.lamp !== 'armed') {
    flicked = true;
    placement = placement.turned(-Math.sign(x) * TURN, head);
  }
}

for (const [id, mode] of [['vr', 'immersive-vr'], ['ar', 'immersive-ar']]) {
  const button = document.getElementById(id);
  button.addEventListener('click', () => enter(mode).catch((error) => { session = null; link.reason = error.message; document.getElementById('state').textContent = error.message; }));
  if (navigator.xr && renderer) navigator.xr.isSessionSupported(mode).then((there) => { button.hidden = !there; }, () => {});
}
const hold = document.getElementById('hold');
for (const [kind, down] of [['pointerdown', true], ['pointerup', false], ['pointercancel', false]]) hold.addEventListener(kind, () => { held.buttons.squeeze = down; });
document.getElementById('grip').addEventListener('input', ({ target }) => { held.axes.trigger = Number(target.value); });
