// lit instances whose triangles are hardly larger than pixels: everything is computed at their corners, the texture and the shadows too
#section vertex
#include "lib/view.glsl"
#include "lib/instance.glsl"
#include "lib/lights.glsl"
#if SHADOW
#include "lib/shadow.glsl"
#else
#define lit(first, count, world, n, reach) 1.0
#endif
#include "lib/point.glsl"
#include "lib/light_sum.glsl"
#include "lib/classic.glsl"
#if FLAT == 2
in vec3 a_facet;
#define GIVEN a_facet
#else
#define GIVEN a_normal
#endif
#if FLAT
flat out vec4 v_color;
#else
out vec4 v_color;
#endif
#if TEXTURE
uniform sampler2D image;
uniform float texel_density;        // texture coordinates per metre of the mesh
vec4 speck_color(vec2 at, float far) {      // the mipmap whose texels are about as large as pixels
    float pixels = 0.5 * viewport.y * length(vec3(viewproj[0][1], viewproj[1][1], viewproj[2][1])) / max(far, 1e-9);
    vec2 texels = vec2(textureSize(image, 0)) * abs(i_texture.xy);
    float across = texel_density * sqrt(texels.x * texels.y / max(abs(i_scale.x * i_scale.y), 1e-18));
    return textureLod(image, at, log2(max(across / max(pixels, 1e-9), 1e-9)));
}
#endif
void main() {
    vec3 world = world_point();
    vec3 n = (GIVEN / max(i_scale.xyz, vec3(1e-9))) * i_rot;
    n *= inversesqrt(max(dot(n, n), 1e-30));
    gl_Position = clip_point(world);
    gl_ClipDistance[0] = dot(clip, vec4(world, 1));
    vec4 tex = vec4(1);
#if TEXTURE
    tex = speck_color(a_uv * i_texture.xy + i_texture.zw, gl_Position.w);
#endif
    Surface s = Surface(world, n, toward_eye(world), i_rgba.rgb * rgb_scale.x, tex.rgb, i_surface.x, i_surface.y, i_surface.z);
    v_color = vec4(shade(s), i_rgba.a * tex.a);
}
#section fragment
#if FLAT
flat in vec4 v_color;
#else
in vec4 v_color;
#endif
out vec4 f_color;
void main() { f_color = v_color; }
