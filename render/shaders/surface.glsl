// lit instances: colour, texture, light model, reflection
#section vertex
#include "lib/view.glsl"
#include "lib/instance.glsl"
out vec3 v_world;
#if WIRE
in vec3 a_facet;
#endif
#if FLAT == 2
in vec3 a_facet;
#define GIVEN a_facet
#else
#define GIVEN a_normal
#endif
#if FLAT
flat out vec3 v_normal;
#else
out vec3 v_normal;
#endif
flat out vec4 v_rgba; flat out vec4 v_surface;
#ifdef PHYSICAL
#include "lib/colour.glsl"
flat out vec3 v_light;
#endif
#if TEXTURE == 1
out vec2 v_uv;
#elif TEXTURE == 2
out vec3 v_uv;
#endif
#if REFLECTION
out float v_top;
#endif
#if CORNERS
#define AT_CORNERS
#include "lib/lights.glsl"
#include "lib/point.glsl"
#include "lib/light_sum.glsl"
#if CORNERS == 2
#include "lib/broad.glsl"
#else
#include "lib/classic.glsl"
#endif
#endif
void main() {
    v_world = world_point();
    v_normal = (GIVEN / max(i_scale.xyz, vec3(1e-9))) * i_rot;
#if FLAT || CORNERS
    vec3 n = v_normal * inversesqrt(max(dot(v_normal, v_normal), 1e-30));
#endif
#if FLAT
    v_normal = n;
#endif
#if CORNERS
    compute(Surface(v_world, n, toward_eye(v_world), i_rgba.rgb * rgb_scale.x, vec3(1), i_surface.x, i_surface.y, i_surface.z));
#endif
    v_rgba = i_rgba; v_surface = i_surface;
#ifdef PHYSICAL
    v_light = light_of(i_rgba.rgb);
#endif
#if TEXTURE == 1
    v_uv = a_uv * i_texture.xy + i_texture.zw;
#elif TEXTURE == 2
    v_uv = (a_pos + vec3(0, 0, a_cap)) * i_texture.xyz;
#endif
#if REFLECTION
    v_top = a_normal.z;
#endif
    gl_Position = clip_point(v_world);
#if WIRE
    // edges of faces that are turned away
    if (dot((a_facet / max(i_scale.xyz, vec3(1e-9))) * i_rot, eye.w > 0.5 ? -forward.xyz : eye.xyz - v_world) < 0.0) gl_Position = vec4(0, 0, 2, 1);
#endif
    gl_ClipDistance[0] = dot(clip, vec4(v_world, 1));
}
#section fragment
#include "lib/view.glsl"
#include "lib/lights.glsl"
#include "lib/facet.glsl"
#if SHADOW
#include "lib/shadow.glsl"
#else
#define lit(first, count, world, n, reach) 1.0
#endif
#include "lib/point.glsl"
#include "lib/light_sum.glsl"
// a light model: vec3 shade(Surface), fog included
#ifdef PHYSICAL
#include "lib/physical.glsl"
#elif CORNERS == 2
#include "lib/broad.glsl"
#else
#include "lib/classic.glsl"
#endif
in vec3 v_world;
#if FLAT
flat in vec3 v_normal;
#else
in vec3 v_normal;
#endif
flat in vec4 v_rgba; flat in vec4 v_surface;     // surface: specular, shininess, emission, segment number
#if TEXTURE == 1
in vec2 v_uv; uniform sampler2D image;
#elif TEXTURE == 2
in vec3 v_uv; uniform samplerCube image;
#endif
#if REFLECTION
in float v_top; uniform sampler2D mirror;
#endif
out vec4 f_color;
#ifdef PHYSICAL
#include "lib/pbr_main.glsl"
#else
void main() {
#if REFLECTION == 2
    if (v_top <= 0.5) discard;
    f_color = texture(mirror, gl_FragCoord.xy * viewport.zw);      // a wireframe's: nothing but what is seen in it
    return;
#endif
    vec4 base = v_rgba, tex = vec4(1);
#if TEXTURE
    tex = texture(image, v_uv);
#endif
    vec3 view = toward_eye(v_world);
    vec3 color = shade(Surface(v_world, normal_at(v_normal, v_world, view), view, base.rgb * rgb_scale.x, tex.rgb, v_surface.x, v_surface.y, v_surface.z));
#if REFLECTION
    if (v_top > 0.5) color += texture(mirror, gl_FragCoord.xy * viewport.zw).rgb;
#endif
    f_color = vec4(color, base.a * tex.a);
}
#endif
