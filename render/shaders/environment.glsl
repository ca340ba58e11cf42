// the environment as a map of the whole sphere: a model's sky, or a studio
#section vertex
#include "lib/cover.glsl"
#section fragment
#include "lib/environment.glsl"
#include "lib/colour.glsl"
uniform vec2 side; uniform vec4 ground;     // rgb, w how much of it hides the lower half
#if SKY
uniform samplerCube image; uniform float coded;     // 1 if colours are meant for a screen
#endif
out vec4 f_light;
float panel(vec3 d, vec3 at, float wide, float high) {      // a bright rectangle with soft edges in direction `at`
    vec3 x = normalize(cross(vec3(0, 0, 1), at)), y = cross(at, x);
    float front = dot(d, at);
    vec2 p = abs(vec2(dot(d, x), dot(d, y))) / max(front, 1e-3) / vec2(wide, high);
    return front <= 0.0 ? 0.0 : (1.0 - smoothstep(0.75, 1.1, p.x)) * (1.0 - smoothstep(0.75, 1.1, p.y));
}
vec3 studio(vec3 d) {
    vec3 walls = mix(vec3(0.30, 0.31, 0.33), vec3(0.75, 0.77, 0.80), smoothstep(-0.3, 0.9, d.z));
    walls += vec3(4.5, 4.4, 4.2) * panel(d, normalize(vec3(-0.6, -0.7, 0.75)), 0.55, 0.40);
    walls += vec3(1.9, 2.0, 2.2) * panel(d, normalize(vec3(0.9, -0.25, 0.35)), 0.30, 0.60);
    walls += vec3(1.6, 1.6, 1.6) * panel(d, normalize(vec3(-0.2, 0.9, 0.5)), 0.80, 0.20);
    return walls;
}
void main() {
    vec3 d = from_map(gl_FragCoord.xy / side);
#if SKY
    vec3 c = textureLod(image, vec3(d.x, d.z, -d.y), 0.0).rgb;
    if (coded > 0.5) c = light_of(c);
    c = mix(vec3(dot(c, vec3(0.2126, 0.7152, 0.0722))), c, 0.6);
#else
    vec3 c = studio(d);
#endif
    f_light = vec4(min(mix(c, ground.rgb, ground.w * smoothstep(0.06, -0.10, d.z)), 1000.0), 1);
}
