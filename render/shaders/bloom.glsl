// the glow around bright things: the sum of ever coarser pictures of them, each read smoothly
#section vertex
#include "lib/cover.glsl"
#section fragment
uniform sampler2D source;
out vec4 f_light;
#define FIRST 1
#define LAST 5
#define STRENGTH 0.9
#define FALL 0.55       // of a level's part to that of the one before
vec3 smoothly(vec2 at, int level) {     // a cubic B-spline in four bilinear reads
    vec2 side = vec2(textureSize(source, level)), p = at * side - 0.5, low = floor(p), f = p - low;
    vec2 w0 = (1.0 - f) * (1.0 - f) * (1.0 - f) / 6.0, w1 = (4.0 - 6.0 * f * f + 3.0 * f * f * f) / 6.0, w3 = f * f * f / 6.0, w2 = 1.0 - w0 - w1 - w3;
    vec2 a = w0 + w1, b = w2 + w3, pa = (low - 0.5 + w1 / a) / side, pb = (low + 1.5 + w3 / b) / side;
    float lod = float(level);
    return a.x * (a.y * textureLod(source, pa, lod).rgb + b.y * textureLod(source, vec2(pa.x, pb.y), lod).rgb)
        + b.x * (a.y * textureLod(source, vec2(pb.x, pa.y), lod).rgb + b.y * textureLod(source, pb, lod).rgb);
}
void main() {
    vec2 at = gl_FragCoord.xy / vec2(textureSize(source, 0));
    vec3 sum = vec3(0);
    float part = STRENGTH * (1.0 - FALL);
    ivec2 side = textureSize(source, 0);
    int last = min(LAST, int(log2(float(max(side.x, side.y)))));
    for (int level = FIRST; level <= last; level++) {
        sum += part * smoothly(at, level);
        part *= FALL;
    }
    f_light = vec4(sum, 1);
}
