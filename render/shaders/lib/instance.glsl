// vertex inputs of instanced unit meshes; i_rot is the row-major matrix as stored, so v * i_rot is R v
in vec3 a_pos; in vec3 a_normal; in vec2 a_uv; in float a_cap;
in vec3 i_pos; in mat3 i_rot; in vec4 i_scale; in vec4 i_rgba; in vec4 i_surface; in vec4 i_texture;
vec3 local_point() { return a_pos * i_scale.xyz + vec3(0, 0, a_cap * i_scale.w); }
vec3 world_point() { return local_point() * i_rot + i_pos; }
// where surfaces coincide the one with the larger segment number shows; what stands where an equal one does keeps that one's place
// (passes/depth_range.py): i_scale.w, which only capsules, whose |a_cap| is 1, have as a size
vec4 clip_point(vec3 world) {
    vec4 p = viewproj * vec4(world, 1);
    p.z -= forward.w * (i_surface.w - (1.0 - abs(a_cap)) * i_scale.w) * p.w;
    return p;
}
