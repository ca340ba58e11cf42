// the light that comes from all around: its diffuse part as spherical harmonics, what is reflected from a map of the whole sphere,
// blurred more from stripe to stripe
#define STRIPES 6
layout(std140) uniform Environment {
    vec4 harmonics[9];      // rgb: what a white matt surface facing that way sends out
    vec4 environment;       // x strength of the map, y exposure, z what is left of it in things that are no metal, w height of a stripe [texel]
};
#define TURN 6.28318531
vec2 on_map(vec3 d) { return vec2(atan(d.y, d.x) / TURN + 0.5, 0.5 + 2.0 * asin(clamp(d.z, -1.0, 1.0)) / TURN); }
vec3 from_map(vec2 at) {
    float a = (at.x - 0.5) * TURN, b = (at.y - 0.5) * 0.5 * TURN;
    return vec3(cos(a) * cos(b), sin(a) * cos(b), sin(b));
}
vec3 irradiance(vec3 n) {
    return max(harmonics[0].rgb + harmonics[1].rgb * n.y + harmonics[2].rgb * n.z + harmonics[3].rgb * n.x + harmonics[4].rgb * (n.x * n.y)
        + harmonics[5].rgb * (n.y * n.z) + harmonics[6].rgb * (3.0 * n.z * n.z - 1.0) + harmonics[7].rgb * (n.x * n.z)
        + harmonics[8].rgb * (n.x * n.x - n.y * n.y), 0.0);
}
