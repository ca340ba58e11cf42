// segment number and metric depth per pixel, or the segment's flat colour
#section vertex
#include "lib/view.glsl"
#include "lib/instance.glsl"
flat out float v_id; flat out vec4 v_rgba; out vec3 v_world;
void main() {
    v_world = world_point(); v_id = i_surface.w; v_rgba = i_rgba;
    gl_Position = viewproj * vec4(v_world, 1);
}
#section fragment
#include "lib/view.glsl"
flat in float v_id; flat in vec4 v_rgba; in vec3 v_world;
out vec4 f_color;
float halton(int index, int base) {
    float r = 0.0, f = 1.0;
    for (int k = 0; k < 32 && index > 0; k++) { f /= float(base); r += f * float(index % base); index /= base; }
    return r;
}
void main() {
    int id = int(v_id + 0.5);
#if MODE == 0
    f_color = vec4(v_id + 1.0, eye_depth(v_world), 0, 1);
#elif MODE == 1
    f_color = vec4(0.1 + 0.8 * halton(id + 10, 2), 0.1 + 0.8 * halton(id + 10, 3), 0.1 + 0.8 * halton(id + 10, 5), 1);
#else
    int n = id + 1;
    f_color = vec4(float(n & 255), float((n >> 8) & 255), float((n >> 16) & 255), 255.0) / 255.0;
#endif
}
