// What the server packs of a model: shapes and meshes, in their bodies.

export const PLANE = 0, SPHERE = 2, CAPSULE = 3, ELLIPSOID = 4, CYLINDER = 5, BOX = 6, MESH = 7;
const COLUMNS = 17;

export async function unpacked(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return readGeometry(await new Response(stream).arrayBuffer());
}

export function readGeometry(buffer) {
  const bytes = new Uint8Array(buffer);
  if (String.fromCharCode(...bytes.subarray(0, 4)) !== 'LWG1') throw new Error('this is no geometry');
  const length = new DataView(buffer).getUint32(4, true), first = 8 + length;
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, first)));
  const table = (Type, [at, rows], columns) => new Type(buffer, first + at, rows * columns);
  const rows = table(Float32Array, header.geoms, COLUMNS), geoms = [];
  for (let i = 0; i < header.geoms[1]; i++) {
    const row = rows.subarray(i * COLUMNS, (i + 1) * COLUMNS);
    geoms.push({ shape: row[0], body: row[1], mesh: row[2], size: [...row.subarray(3, 6)], p: [...row.subarray(6, 9)], q: [...row.subarray(9, 13)], rgba: [...row.subarray(13, 17)] });
  }
  const meshes = header.meshes.map(([vertex, normal, face]) => ({ vertex: table(Float32Array, vertex, 3), normal: table(Float32Array, normal, 3), face: table(Uint32Array, face, 3) }));
  return { bodies: header.bodies, center: header.center, extent: header.extent, cameras: header.cameras, geoms, meshes };
}

// Parts that are drawn: a stretched mesh each. A capsule is a tube and two balls; a plane without end reaches as far as one can see.
export function partsOf(geom, extent) {
  const [a, b, c] = geom.size, part = (mesh, scale, shift = 0) => ({ mesh, scale, shift, geom });
  const far = 20 * Math.max(extent, 1);
  switch (geom.shape) {
    case PLANE: return [part('plane', [a || far, b || far, 1])];
    case SPHERE: case ELLIPSOID: return [part('sphere', [a, b, c])];
    case CYLINDER: return [part('cylinder', [a, b, c])];
    case CAPSULE: return [part('tube', [a, b, c]), part('sphere', [a, a, a], c), part('sphere', [a, a, a], -c)];
    case BOX: return [part('box', [a, b, c])];
    case MESH: return geom.mesh < 0 ? [] : [part('mesh ' + geom.mesh, geom.size)];
    default: return [];
  }
}
