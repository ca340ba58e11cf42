// Runs checks of the page's modules that need no browser: `node modules.mjs FOLDER_OF_THE_PAGE`; one line of JSON with what they gave.

import { pathToFileURL } from 'node:url';

const folder = process.argv[2], module = (name) => import(pathToFileURL(`${folder}/${name}.js`));
const [clock, devices, frames, geometry, matrix, orientation, shapes] = await Promise.all(['clock', 'devices', 'frames', 'geometry', 'matrix', 'orientation', 'shapes'].map(module));
const { input } = JSON.parse(await new Promise((done) => { let text = ''; process.stdin.on('data', (part) => { text += part; }); process.stdin.on('end', () => done(text)); }));
const array = (values) => [...values], bytes = (text) => Uint8Array.from(Buffer.from(text, 'base64')).buffer;
const out = {};

out.frame = frames.readFrame(bytes(input.poses));
out.frame.poses = array(out.frame.poses);
out.picture = (({ kind, number, camera, jpeg }) => ({ kind, number, camera, jpeg: array(jpeg) }))(frames.readFrame(bytes(input.picture)));
const unpacked = await geometry.unpacked(frames.readFrame(bytes(input.geometry)).packed);
out.geometry = { ...unpacked, meshes: unpacked.meshes.map(({ vertex, normal, face }) => [vertex.length, normal.length, face.length]), parts: unpacked.geoms.map((geom) => geometry.partsOf(geom, unpacked.extent).map((part) => part.mesh)) };

// the same point and turn through a placement and its matrix: a headset's coordinates and the model's
const placement = new frames.Placement(0.7, [1, 2, 3]), xr = { x: 0.3, y: 1.2, z: -0.5 };
out.world = placement.position(frames.positionFromXR(xr));
const back = placement.matrix(), [x, y, z] = out.world;
out.back = [0, 1, 2].map((row) => back[row] * x + back[4 + row] * y + back[8 + row] * z + back[12 + row]);
out.turned = placement.turned(0.9, [0.1, 0.2, 1.6]).position([0.1, 0.2, 1.6]);
out.unturned = placement.position([0.1, 0.2, 1.6]);
const q = frames.quaternionFromXR({ w: Math.cos(0.3), x: 0, y: Math.sin(0.3), z: 0 });
out.yaw = matrix.rotate(q, [1, 0, 0]);      // a turn to the left about a headset's y
out.product = array(matrix.multiply(matrix.inverseRigid(matrix.fromPose([1, 2, 3], q)), matrix.fromPose([1, 2, 3], q)));
out.before = frames.Placement.before([1, 2, 0], 1, [0.1, 0.2, 1.6]).position([0.1, 0.2, 1.6]);

// a hand where both hands have made the scene half as large for it: where it acts, and where it is drawn
const scene = new frames.SceneFrame(2, 0.5, [0.1, -0.2, 0.3]), hand = [0.4, 0.5, 1.2], acts = scene.position(hand), seen = scene.inverse();
out.scene = { acts, seen: [0, 1, 2].map((row) => seen[row] * acts[0] + seen[4 + row] * acts[1] + seen[8 + row] * acts[2] + seen[12 + row]), hand, corner: array(seen).slice(12),
              unmoved: array(new frames.SceneFrame().inverse()), mark: scene.mark({ p: hand, q: [1, 0, 0, 0], size: [0.01, 0.02, 0.03], box: true }) };

const times = new clock.Clock();
for (const [there, home] of [[40, 2], [3, 3], [2, 90]]) times.exchange(1000, 6000 + there, 6001 + there, 1001 + there + home);
out.clock = times.best;
const latency = new clock.Latency();
for (let seq = 0; seq < 100; seq++) latency.send(seq, seq);
for (let seq = 0; seq < 100; seq += 10) latency.applied(seq, seq + 20 + seq / 10);
latency.applied(5, 1e6);
out.latency = [latency.median, latency.sent.size];
const pace = new clock.Pace();
out.pace = [...Array(1000).keys()].filter((time) => pace.due('a', time, 72)).length;
out.paceAfterPause = [5000, 5001, 5002, 5003].filter((time) => pace.due('a', time, 72)).length;

out.sticks = [orientation.stick(0, 0, 50), orientation.stick(3, 3, 50), orientation.stick(50, 0, 50), orientation.stick(0, -200, 50)];
out.flat = orientation.heldTurn(0, 0, 0);
out.heading = matrix.rotate(orientation.heldTurn(90, 0, 0), [1, 0, 0]);
out.raised = matrix.rotate(orientation.heldTurn(0, 90, 0), [1, 0, 0]);
out.controls = devices.controls({ buttons: [{ pressed: true, value: 0.8 }, { pressed: false, value: 0.1 }, { pressed: false }, { pressed: false }, { pressed: true }], axes: [0, 0, 0.5, -1] }, 'right');

// every shape is closed or flat, and turned outwards
out.shapes = Object.fromEntries(Object.entries(shapes.SHAPES).map(([name, make]) => {
  const { vertex, normal, face } = make();
  let volume = 0, wrong = 0;
  for (let i = 0; i < face.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => array(vertex.slice(3 * face[i + k], 3 * face[i + k] + 3)));
    const u = b.map((v, k) => v - a[k]), w = c.map((v, k) => v - a[k]);
    const n = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]], size = Math.hypot(...n);
    volume += (n[0] * a[0] + n[1] * a[1] + n[2] * a[2]) / 6;
    if (size > 1e-9 && n[0] * normal[3 * face[i]] + n[1] * normal[3 * face[i] + 1] + n[2] * normal[3 * face[i] + 2] < -1e-6 * size) wrong += 1;
  }
  return [name, [volume, wrong]];
}));
console.log(JSON.stringify(out));
