// one stripe of the environment map: what a surface of one roughness reflects, seen straight on
#section vertex
#include "lib/cover.glsl"
#section fragment
#include "lib/environment.glsl"
uniform sampler2D source; uniform vec2 side; uniform float below; uniform float rough;
out vec4 f_light;
#define SAMPLES 48
float mirrored_bits(uint k) {
    uint r = 0u;
    for (int b = 0; b < 16; b++) { r = (r << 1) | (k & 1u); k >>= 1; }
    return float(r) / 65536.0;
}
void main() {
    vec3 n = from_map((gl_FragCoord.xy - vec2(0, below)) / side);
    if (rough < 0.01) { f_light = vec4(textureLod(source, on_map(n), 0.0).rgb, 1); return; }
    vec3 x = normalize(cross(abs(n.z) < 0.9 ? vec3(0, 0, 1) : vec3(1, 0, 0), n)), y = cross(n, x);
    float a2 = pow(rough, 4.0), weight = 0.0;
    vec3 sum = vec3(0);
    for (int k = 0; k < SAMPLES; k++) {
        vec2 u = vec2((float(k) + 0.5) / float(SAMPLES), mirrored_bits(uint(k)));
        float c2 = (1.0 - u.x) / (1.0 + (a2 - 1.0) * u.x), c = sqrt(c2), s = sqrt(max(1.0 - c2, 0.0));
        vec3 h = s * cos(TURN * u.y) * x + s * sin(TURN * u.y) * y + c * n;
        vec3 l = 2.0 * c * h - n;
        float nl = dot(n, l);
        if (nl <= 0.0) continue;
        float q = c2 * (a2 - 1.0) + 1.0, density = a2 / (2.0 * TURN * q * q);   // of l, with half of TURN for pi and 4 from the half vector
        float texel = 0.5 * TURN * TURN / (side.x * side.y) * sqrt(max(1.0 - l.z * l.z, 1e-4));
        float lod = max(0.5 * log2(1.0 / (float(SAMPLES) * density * texel)) + 1.0, 0.0);
        sum += nl * textureLod(source, on_map(l), lod).rgb;
        weight += nl;
    }
    f_light = vec4(sum / max(weight, 1e-6), 1);
}
