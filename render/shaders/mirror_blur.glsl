// a mirror's picture as a rough mirror shows it: what is far behind the mirror is spread wide, what touches it stays sharp
#section vertex
#include "lib/cover.glsl"
#section fragment
#include "lib/colour.glsl"
uniform sampler2D light;        // light times how much of it there is
uniform sampler2D points;       // w: distance along the view
uniform vec3 plane;             // of the mirror on the screen: its distance, or one over it in a perspective, is x + y right + z up
uniform vec2 along; uniform float across;     // direction of the mirror's normal on the screen, and how much narrower the blur is at right angles to it
uniform float wide; uniform float parallel;   // half width of the blur [heights] per metre behind the mirror, and per distance in a perspective
out vec4 f_color;
#define NOTHING 1e8
#define WIDEST 0.12     // [heights]
#define USUAL 0.5       // part of the distance that is behind the mirror, to look where something is
#define LOD 1.5         // taps over one another, or thin things would be seen several times
#define GOLDEN 2.39996323
float spread(float to_mirror, float to_thing) {
    float behind = max(to_thing - to_mirror, 0.0);
    return min(wide * (parallel > 0.5 ? behind : behind / max(to_thing, 1e-6)), WIDEST);
}
void main() {
    vec2 side = vec2(textureSize(light, 0)), here = gl_FragCoord.xy / side;
    float tilt = dot(plane, vec3(1, 2.0 * here - 1.0)), to_mirror = parallel > 0.5 ? tilt : 1.0 / max(tilt, 1e-9);
    vec2 narrow = vec2(-along.y, along.x) * across, shape = vec2(side.y / side.x, 1);
    float first = min(parallel > 0.5 ? wide * to_mirror * USUAL : wide * USUAL, WIDEST), sum = 0.0, found = 0.0;
    for (int k = 0; k < TAPS; k++) {
        float far = first * sqrt((float(k) + 0.5) / float(TAPS)), turn = GOLDEN * float(k);
        float z = textureLod(points, here + far * shape * (along * cos(turn) + narrow * sin(turn)), 0.0).w;
        if (z < NOTHING) { sum += z; found += 1.0; }
    }
    float nearby = textureLod(points, here, 0.0).w;
    if (nearby < NOTHING) { sum += 3.0 * nearby; found += 3.0; }
    if (found < 0.5) { f_color = vec4(0); return; }
    float radius = spread(to_mirror, sum / found), weight = 0.0, lod = max(log2(radius * side.y * sqrt(across / float(TAPS)) + 1e-6) + LOD, 0.0);
    vec4 c = vec4(0);
    for (int k = 0; k < TAPS; k++) {
        float share = (float(k) + 0.5) / float(TAPS), turn = GOLDEN * float(k), w = exp(-2.0 * share);
        c += w * textureLod(light, here + radius * sqrt(share) * shape * (along * cos(turn) + narrow * sin(turn)), lod);
        weight += w;
    }
    c /= weight;
    f_color = vec4(display_of(c.rgb / max(c.a, 1e-4)) * c.a, c.a);
}
