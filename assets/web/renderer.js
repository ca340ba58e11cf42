// Draws a model by WebGL 2: each shape or mesh once for all its uses, placed by the poses of the bodies that arrive.

import { partsOf } from './geometry.js';
import { fromPose, multiply } from './matrix.js';
import { SHAPES } from './shapes.js';

const ROW = 16;   // of an instance: three columns of its matrix and its place (4 x 3 numbers), then its colour
const VERTEX = `#version 300 es
layout(location = 0) in vec3 vertex;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 x;
layout(location = 3) in vec3 y;
layout(location = 4) in vec3 z;
layout(location = 5) in vec3 place;
layout(location = 6) in vec4 colour;
uniform mat4 seen;
uniform mat4 projection;
out vec3 facing;
out vec3 at;
out vec2 across;
out vec4 rgba;
void main() {
  mat3 turned = mat3(x, y, z);
  vec4 eye = seen * vec4(turned * vertex + place, 1.0);
  // of a stretched shape: each component over the square of its stretch
  vec3 outwards = x * (normal.x / dot(x, x)) + y * (normal.y / dot(y, y)) + z * (normal.z / dot(z, z));
  facing = mat3(seen) * outwards;
  at = eye.xyz;
  across = vec2(vertex.x * length(x), vertex.y * length(y));
  rgba = colour;
  gl_Position = projection * eye;
}`;
const FRAGMENT = `#version 300 es
precision highp float;
in vec3 facing;
in vec3 at;
in vec2 across;
in vec4 rgba;
uniform float tiles;
uniform float light;
out vec4 picture;
void main() {
  vec3 n = normalize(gl_FrontFacing ? facing : -facing);
  vec3 to = normalize(-at);
  float diffuse = max(dot(n, to), 0.0), shine = pow(diffuse, 24.0);
  vec3 shade = rgba.rgb * mix(1.0, 0.35 + 0.65 * diffuse, light) + 0.12 * light * shine;
  if (tiles > 0.0) {
    // tiles of a ground, fading where they would flicker
    vec2 cell = across / tiles;
    float fade = 1.0 - smoothstep(0.2, 0.7, max(fwidth(cell.x), fwidth(cell.y)));
    float odd = mod(floor(cell.x) + floor(cell.y), 2.0);
    shade *= mix(0.9, mix(0.8, 1.0, odd), fade);
  }
  picture = vec4(shade * rgba.a, rgba.a);
}`;
const EDGE_VERTEX = `#version 300 es
out vec2 corner;
void main() {
  corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  gl_Position = vec4(corner, 0.0, 1.0);
}`;
const EDGE_FRAGMENT = `#version 300 es
precision mediump float;
in vec2 corner;
uniform vec4 colour;
out vec4 picture;
void main() {
  float edge = smoothstep(0.7, 1.0, max(abs(corner.x), abs(corner.y)));
  picture = vec4(colour.rgb, 1.0) * (colour.a * edge);
}`;
const LAMP_COLOURS = { armed: [0.1, 0.8, 0.3, 0.8], holding: [0.95, 0.7, 0.1, 0.7], lost: [0.9, 0.15, 0.1, 0.9] };

function program(gl, vertex, fragment) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  return made;
}

// All uses of one mesh that are drawn alike.
class Batch {
  constructor(gl, mesh, count, clear, tiles) {
    this.gl = gl; this.count = 0; this.clear = clear; this.tiles = tiles; this.length = mesh.face.length; this.parts = [];
    this.rows = new Float32Array(ROW * count);
    this.array = gl.createVertexArray();
    gl.bindVertexArray(this.array);
    this.buffers = [mesh.vertex, mesh.normal].map((table, place) => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, table, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0);
      return buffer;
    });
    const faces = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, faces);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.face, gl.STATIC_DRAW);
    this.instances = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.instances);
    gl.bufferData(gl.ARRAY_BUFFER, this.rows.byteLength, gl.DYNAMIC_DRAW);
    for (let k = 0; k < 5; k++) {
      gl.enableVertexAttribArray(2 + k);
      gl.vertexAttribPointer(2 + k, k < 4 ? 3 : 4, gl.FLOAT, false, 4 * ROW, 12 * k);
      gl.vertexAttribDivisor(2 + k, 1);
    }
    this.buffers.push(faces, this.instances);
    gl.bindVertexArray(null);
  }

  put(matrix, scale, rgba) {
    const at = ROW * this.count++, rows = this.rows;
    for (let column = 0; column < 3; column++) for (let k = 0; k < 3; k++) rows[at + 3 * column + k] = matrix[4 * column + k] * scale[column];
    for (let k = 0; k < 3; k++) rows[at + 9 + k] = matrix[12 + k];
    rows.set(rgba, at + 12);
  }

  upload() {
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.instances);
    this.gl.bufferSubData(this.gl.ARRAY_BUFFER, 0, this.rows, 0, ROW * this.count);
  }

  draw() {
    if (!this.count) return;
    this.gl.bindVertexArray(this.array);
    this.gl.drawElementsInstanced(this.gl.TRIANGLES, this.length, this.gl.UNSIGNED_INT, 0, this.count);
  }

  free() {
    for (const buffer of this.buffers) this.gl.deleteBuffer(buffer);
    this.gl.deleteVertexArray(this.array);
  }
}

export class Renderer {
  constructor(gl) {
    this.gl = gl;
    this.program = program(gl, VERTEX, FRAGMENT);
    this.edge = program(gl, EDGE_VERTEX, EDGE_FRAGMENT);
    this.at = Object.fromEntries(['seen', 'projection', 'tiles', 'light'].map((name) => [name, gl.getUniformLocation(this.program, name)]));
    this.edgeColour = gl.getUniformLocation(this.edge, 'colour');
    this.shapes = Object.fromEntries(Object.entries(SHAPES).map(([name, make]) => [name, make()]));
    this.batches = []; this.generation = -1;
    this.marks = ['sphere', 'box'].map((name) => new Batch(gl, this.shapes[name], 80, false, 0));
    this.body = new Float32Array(16); this.local = new Float32Array(16); this.whole = new Float32Array(16);
  }

  // Another model.
  load(geometry, generation) {
    for (const batch of this.batches) batch.free();
    const groups = new Map();
    for (const geom of geometry.geoms) {
      for (const part of partsOf(geom, geometry.extent)) {
        const clear = geom.rgba[3] < 1, key = `${part.mesh} ${clear}`;
        if (!groups.has(key)) groups.set(key, { clear, parts: [] });
        groups.get(key).parts.push(part);
      }
    }
    this.batches = [...groups].map(([key, { clear, parts }]) => {
      const name = parts[0].mesh, mesh = name.startsWith('mesh ') ? geometry.meshes[Number(name.slice(5))] : this.shapes[name];
      const tiles = name === 'plane' ? Math.max(0.05, 10 ** Math.round(Math.log10(geometry.extent) - 1)) : 0;
      const batch = new Batch(this.gl, mesh, parts.length, clear, tiles);
      batch.parts = parts.map((part) => ({ ...part, local: fromPose(part.geom.p, part.geom.q) }));
      return batch;
    });
    this.batches.sort((a, b) => a.clear - b.clear);
    this.generation = generation;
  }

  // Where all bodies are: seven numbers each.
  place(poses) {
    for (const batch of this.batches) {
      batch.count = 0;
      for (const part of batch.parts) {
        const at = 7 * part.geom.body;
        if (at + 7 > poses.length) continue;
        fromPose(poses.subarray(at, at + 3), poses.subarray(at + 3, at + 7), this.body);
        multiply(this.body, part.local, this.whole);
        for (let k = 0; k < 3; k++) this.whole[12 + k] += part.shift * this.whole[8 + k];
        batch.put(this.whole, part.scale, part.geom.rgba);
      }
      batch.upload();
    }
  }

  // Hands and controllers: [{box: false, p, q, size, rgba}], model coordinates.
  mark(marks) {
    for (const batch of this.marks) batch.count = 0;
    for (const { box, p, q, size, rgba } of marks.slice(0, 80)) this.marks[box ? 1 : 0].put(fromPose(p, q, this.local), size, rgba);
    for (const batch of this.marks) batch.upload();
  }

  begin(passthrough) {
    const gl = this.gl;
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    gl.disable(gl.CULL_FACE);
    gl.clearColor(...(passthrough ? [0, 0, 0, 0] : [0.14, 0.16, 0.19, 1]));
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  }

  // One eye: seen: model coordinates to the eye's.
  draw(seen, projection, lamp) {
    const gl = this.gl;
    gl.useProgram(this.program);
    gl.uniformMatrix4fv(this.at.seen, false, seen);
    gl.uniformMatrix4fv(this.at.projection, false, projection);
    gl.uniform1f(this.at.light, 1);
    for (const batch of [...this.marks, ...this.batches]) {
      gl.uniform1f(this.at.tiles, batch.tiles);
      if (batch.clear) { gl.enable(gl.BLEND); gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA); gl.depthMask(false); }
      batch.draw();
    }
    this.drawEdge(LAMP_COLOURS[lamp]);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    gl.bindVertexArray(null);
  }

  // The edge of what is seen says whether something is driven.
  drawEdge(colour) {
    if (!colour) return;
    const gl = this.gl;
    gl.useProgram(this.edge);
    gl.uniform4fv(this.edgeColour, colour);
    gl.bindVertexArray(null);
    gl.disable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.enable(gl.DEPTH_TEST);
  }
}
