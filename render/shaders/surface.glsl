// lit instances: colour, texture, lights, shadows, reflection, fog
#section vertex
#include "lib/view.glsl"
#include "lib/instance.glsl"
out vec3 v_world; out vec3 v_normal;
flat out vec4 v_rgba; flat out vec4 v_surface;
#if TEXTURE == 1
out vec2 v_uv;
#elif TEXTURE == 2
out vec3 v_uv;
#endif
#if REFLECTION
out float v_top;
#endif
void main() {
    v_world = world_point();
    v_normal = (a_normal / max(i_scale.xyz, vec3(1e-9))) * i_rot;
    v_rgba = i_rgba; v_surface = i_surface;
#if TEXTURE == 1
    v_uv = a_uv * i_texture.xy + i_texture.zw;
#elif TEXTURE == 2
    v_uv = (a_pos + vec3(0, 0, a_cap)) * i_texture.xyz;
#endif
#if REFLECTION
    v_top = a_normal.z;
#endif
    gl_Position = viewproj * vec4(v_world, 1);
    gl_ClipDistance[0] = dot(clip, vec4(v_world, 1));
}
#section fragment
#include "lib/view.glsl"
#include "lib/lights.glsl"
#if SHADOW
#include "lib/shadow.glsl"
#endif
in vec3 v_world; in vec3 v_normal;
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
#define DIRECTIONAL(i) plain += light_sum(i, -light_dir[i].xyz, n, v, base.rgb, v_surface.xy);
#define SPOT(i) plain += spot_sum(i, v_world, n, v, base.rgb, v_surface.xy);
#define DIRECTIONAL_CAST(i, t) shadowed += lit(t, v_world) * min(light_sum(i, -light_dir[i].xyz, n, v, base.rgb, v_surface.xy), 1.0);
#define SPOT_CAST(i, t) shadowed += lit(t, v_world) * min(spot_sum(i, v_world, n, v, base.rgb, v_surface.xy), 1.0);
void main() {
    vec3 n = normalize(v_normal);
    vec3 v = eye.w > 0.5 ? -forward.xyz : normalize(eye.xyz - v_world);
    vec4 base = v_rgba;
    base.rgb *= rgb_scale.x;
    vec3 plain = base.rgb * (v_surface.z + light_global.rgb);
    vec3 shadowed = vec3(0);
    LIGHTS_PLAIN
    LIGHTS_CAST
    vec4 tex = vec4(1);
#if TEXTURE
    tex = texture(image, v_uv);
#endif
    float depth = eye_depth(v_world);
    vec3 color = with_fog(min(plain, 1.0) * tex.rgb, depth);
    if (fog_color.w > 0.5) shadowed *= clamp((fog_range.y - depth) / max(fog_range.y - fog_range.x, 1e-9), 0.0, 1.0);
    color += shadowed * tex.rgb;
#if REFLECTION
    if (v_top > 0.5) color += texture(mirror, gl_FragCoord.xy * viewport.zw).rgb;
#endif
    f_color = vec4(color, base.a * tex.a);
}
