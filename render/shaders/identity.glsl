// segment number and metric depth per pixel, or the segment's flat colour, or the normal
#section vertex
#include "lib/view.glsl"
#include "lib/instance.glsl"
flat out float v_id; out vec3 v_world;
#if MODE > 2
out vec3 v_normal;
#endif
void main() {
    v_world = world_point(); v_id = i_surface.w;
#if MODE > 2
    v_normal = (a_normal / max(i_scale.xyz, vec3(1e-9))) * i_rot;
#endif
    gl_Position = clip_point(v_world);
}
#section fragment
#include "lib/view.glsl"
#include "lib/facet.glsl"
#include "lib/identity.glsl"
flat in float v_id; in vec3 v_world;
#if MODE > 2
in vec3 v_normal;
#endif
out vec4 f_color;
void main() {
#if MODE > 2
    vec3 normal = normal_at(v_normal, v_world, eye.w > 0.5 ? -forward.xyz : eye.xyz - v_world);
    f_color = identity(v_id, 0.0, gl_FrontFacing ? normal : -normal);    // of the side that is seen
#else
    f_color = identity(v_id, eye_depth(v_world), vec3(0));
#endif
}
