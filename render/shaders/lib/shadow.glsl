// how much of a light arrives through its shadow maps: 1 lit, 0 in shadow; what lies outside all of them is lit
uniform sampler2DShadow shadow_atlas;
vec2 in_atlas(int t, vec2 at) { return shadow_tile[t].xy + at * shadow_tile[t].zw; }

#if PENUMBRA
// A penumbra as wide as the light looks from where the shadow falls: the mean distance of what blocks it says how far the edge is spread.
uniform sampler2D shadow_depth;
#define SEARCH_TAPS 20
#define FILTER_TAPS 40
#define WIDEST 192.0    // half width of a penumbra [texel]
#define STEEPEST 8.0    // change of depth over a tile
const mat2 GOLDEN = mat2(-0.73736888, 0.67549029, -0.67549029, -0.73736888);    // a golden turn from tap to tap
vec2 first_turn() {     // differs between neighbours, so that few taps leave a fine grain instead of bands
    float a = 6.2831853 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    return vec2(cos(a), sin(a));
}
float distance_in(int t, float z) {
    vec2 ends = shadow_blur[t].zw;
    return shadow_reading[t].w > 0.5 ? ends.x * ends.y / (ends.y - z * (ends.y - ends.x)) : mix(ends.x, ends.y, z);
}
vec2 spread(int t, float receiver, float blocker) {
    float wide = receiver - blocker;
    if (shadow_reading[t].w > 0.5) wide /= max(blocker * receiver, 1e-9);
    vec2 texel = shadow_texel.x / shadow_tile[t].zw;
    return clamp(shadow_blur[t].xy * max(wide, 0.0), texel, WIDEST * texel);
}
float shadow_tap(int t, vec3 c, vec3 world, vec3 n) {
    vec4 plane = shadow_plane[t] * vec4(n, -dot(n, world));     // taps follow the surface, or it would shade itself
    vec2 slope = abs(plane.z) > 1e-6 * length(plane.xyz) ? clamp(-plane.xy / plane.z, -STEEPEST, STEEPEST) : vec2(0);
    vec2 margin = vec2(shadow_reading[t].y);
    vec2 turn = first_turn();
    float receiver = distance_in(t, min(c.z, 1.0));
    vec2 wide = spread(t, receiver, shadow_blur[t].z);
    float blockers = 0.0, sum = 0.0;
    for (int k = 0; k < SEARCH_TAPS; k++) {
        vec2 off = turn * wide * (float(k) / float(SEARCH_TAPS));       // the middle best: things that stand on the surface
        turn = GOLDEN * turn;
        float z = textureLod(shadow_depth, in_atlas(t, clamp(c.xy + off, margin, 1.0 - margin)), 0.0).r;
        if (z < c.z + dot(slope, off)) { blockers += 1.0; sum += distance_in(t, z); }
    }
    if (blockers < 0.5) return 1.0;
    wide = spread(t, receiver, sum / blockers);
    sum = 0.0;
    for (int k = 0; k < FILTER_TAPS; k++) {
        vec2 off = turn * wide * sqrt((float(k) + 0.5) / float(FILTER_TAPS));
        turn = GOLDEN * turn;
        sum += texture(shadow_atlas, vec3(in_atlas(t, clamp(c.xy + off, margin, 1.0 - margin)), c.z + dot(slope, off)));
    }
    return sum / float(FILTER_TAPS);
}
#else
float shadow_tap(int t, vec3 c, vec3 world, vec3 n) {
    vec2 at = in_atlas(t, c.xy);
#if PCF <= 1
    return texture(shadow_atlas, vec3(at, c.z));
#else
    float sum = 0.0;
    for (int x = 0; x < PCF; x++) for (int y = 0; y < PCF; y++)
        sum += texture(shadow_atlas, vec3(at + (vec2(x, y) - 0.5 * float(PCF - 1)) * shadow_texel.x, c.z));
    return sum / float(PCF * PCF);
#endif
}
#endif

// the point in tile t, read a little in front of the surface; whether the tile holds it
bool in_tile(int t, vec3 world, vec3 shift, out vec3 c) {
    vec4 p = shadow_matrix[t] * vec4(world + shadow_reading[t].x * shift, 1);
    c = p.xyz / p.w;
    float margin = shadow_reading[t].y;
    vec3 room = min(c - vec3(margin, margin, -1e30), vec3(1.0 - margin, 1.0 - margin, shadow_reading[t].z) - c);
    return p.w > 0.0 && min(min(room.x, room.y), room.z) > 0.0;
}
// tiles first .. first + count of one light, the finest first; n: unit normal; reach: distance of the light, 1 if it is directional
float lit(int first, int count, vec3 world, vec3 n, float reach) {
    vec3 c;
#if PENUMBRA
    for (int t = first; t < first + count; t++)
        if (in_tile(t, world, reach * n, c)) return shadow_tap(t, c, world, n);
    return 1.0;
#else
    float arrives = 1.0;        // without branches, which software GL does not like
    for (int t = first + count - 1; t >= first; t--) {
        bool inside = in_tile(t, world, reach * n, c);
        float here = shadow_tap(t, c, world, n);
        arrives = inside ? here : arrives;
    }
    return arrives;
#endif
}
