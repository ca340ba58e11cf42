// segments widened to quads on the screen; width in pixels; with MODE the flat pictures of identity.glsl; with DOTS round dots, -width wide
#section vertex
#include "lib/view.glsl"
in vec3 i_start; in vec3 i_end; in vec4 i_rgba; in float i_width;
flat out vec4 v_rgba; out float v_depth;
#ifdef DOTS
out vec2 v_off;
#endif
#ifdef MODE
in float i_number; flat out float v_id;
#endif
void main() {
    vec3 start = i_start, end = i_end;
    vec4 a = viewproj * vec4(start, 1), b = viewproj * vec4(end, 1);
    float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
#ifdef DOTS
    v_off = vec2(gl_VertexID < 2 ? -1.0 : 1.0, side);
    vec4 p = a;
    p.xy -= v_off * i_width * viewport.zw * p.w;
    if (i_width > -3.5) v_off = vec2(0);    // corners of so small a square are not seen
#else
    // cut at the near plane so that the screen direction is defined
    float za = a.z + a.w, zb = b.z + b.w;
    if (za < 0.0 && zb > 0.0) { float t = (1e-5 - za) / (zb - za); a = mix(a, b, t); start = mix(start, end, t); }
    if (zb < 0.0 && za > 0.0) { float t = (1e-5 - zb) / (za - zb); b = mix(b, a, t); end = mix(end, start, t); }
    vec2 dir = (b.xy / b.w - a.xy / a.w) * viewport.xy;
    dir = length(dir) > 1e-6 ? normalize(dir) : vec2(1, 0);
    vec4 p = gl_VertexID < 2 ? a : b;
    p.xy += vec2(-dir.y, dir.x) * side * i_width * viewport.zw * p.w;
#endif
    vec3 at = gl_VertexID < 2 ? start : end;
    v_rgba = vec4(i_rgba.rgb * rgb_scale.x, i_rgba.a); v_depth = eye_depth(at);
    gl_ClipDistance[0] = dot(clip, vec4(at, 1));
#ifdef MODE
    v_id = i_number;
#endif
    gl_Position = p;
}
#section fragment
#include "lib/view.glsl"
flat in vec4 v_rgba; in float v_depth; out vec4 f_color;
#ifdef DOTS
in vec2 v_off;
#endif
#ifdef MODE
#include "lib/identity.glsl"
flat in float v_id;
void main() { f_color = identity(v_id, v_depth, vec3(0)); }
#else
void main() {
#ifdef DOTS
    if (dot(v_off, v_off) > 1.0) discard;
#endif
    f_color = vec4(with_fog(v_rgba.rgb, v_depth), v_rgba.a);
}
#endif
