// segments widened to quads on the screen; width in pixels
#section vertex
#include "lib/view.glsl"
in vec3 i_start; in vec3 i_end; in vec4 i_rgba; in float i_width;
flat out vec4 v_rgba; out float v_depth;
void main() {
    vec4 a = viewproj * vec4(i_start, 1), b = viewproj * vec4(i_end, 1);
    // cut at the near plane so that the screen direction is defined
    float za = a.z + a.w, zb = b.z + b.w;
    if (za < 0.0 && zb > 0.0) a = mix(a, b, (1e-5 - za) / (zb - za));
    if (zb < 0.0 && za > 0.0) b = mix(b, a, (1e-5 - zb) / (za - zb));
    vec2 dir = (b.xy / b.w - a.xy / a.w) * viewport.xy;
    dir = length(dir) > 1e-6 ? normalize(dir) : vec2(1, 0);
    float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
    vec4 p = gl_VertexID < 2 ? a : b;
    p.xy += vec2(-dir.y, dir.x) * side * i_width * viewport.zw * p.w;
    v_rgba = i_rgba; v_depth = p.w;
    gl_Position = p;
}
#section fragment
#include "lib/view.glsl"
flat in vec4 v_rgba; in float v_depth; out vec4 f_color;
void main() { f_color = vec4(with_fog(v_rgba.rgb, v_depth), v_rgba.a); }
