// where the lights of a frame are and how much of each arrives at a point; what a surface makes of it is the light model's affair
#define MAX_LIGHTS 16
#define MAX_TILES 16
layout(std140) uniform Lights {
    vec4 light_global;                  // rgb ambient without lights
    vec4 light_pos[MAX_LIGHTS];         // xyz
    vec4 light_dir[MAX_LIGHTS];         // xyz, w cosine of cutoff
    vec4 light_att[MAX_LIGHTS];         // constant, linear, quadratic, exponent
    vec4 light_ambient[MAX_LIGHTS];     // rgb
    vec4 light_diffuse[MAX_LIGHTS];
    vec4 light_specular[MAX_LIGHTS];
    mat4 shadow_matrix[MAX_TILES];      // world to (0..1, 0..1, depth) of the tile
    vec4 shadow_tile[MAX_TILES];        // offset xy and size zw of the tile in the atlas
    vec4 shadow_reading[MAX_TILES];     // x shift along the normal, y margin at the edge, z largest depth in shadow, w 1 if perspective
    vec4 shadow_blur[MAX_TILES];        // xy half width of the penumbra (shadow.glsl), zw nearest and farthest distance of the map [m]
    mat4 shadow_plane[MAX_TILES];       // world planes to planes of the tile
    vec4 shadow_texel;                  // x one texel of the atlas
};

// The program's variant unrolls the lights: LIGHTS_PLAIN is a row of DIRECTIONAL(i), SPOT(i) and POINT(i), LIGHTS_CAST one of
// DIRECTIONAL_CAST(i, first, tiles), ...; a light model defines these macros. Constant indices keep the block's values in registers,
// which halves the cost in software.

// xyz towards the light, w how much of it arrives
vec4 directional_beam(int i) { return vec4(-light_dir[i].xyz, 1.0); }
vec4 point_beam(int i, vec3 world) {
    vec3 to = light_pos[i].xyz - world;
    float d = length(to);
#if defined(FADING) && !FADING
    return vec4(to / max(d, 1e-9), 1.0);
#else
    vec4 a = light_att[i];
    return vec4(to / max(d, 1e-9), 1.0 / max(a.x + d * (a.y + d * a.z), 1e-9));
#endif
}
vec4 spot_beam(int i, vec3 world) {
    vec4 beam = point_beam(i, world);
    float c = -dot(beam.xyz, light_dir[i].xyz);
    beam.w *= c < light_dir[i].w ? 0.0 : pow(max(c, 1e-6), light_att[i].w);
    return beam;
}
