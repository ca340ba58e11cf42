// the light model of the fixed pipeline, evaluated per pixel: each light's sum is clamped, then scaled by the surface's texture
#define MAX_LIGHTS 16
layout(std140) uniform Lights {
    vec4 light_global;                  // rgb ambient without lights
    vec4 light_pos[MAX_LIGHTS];         // xyz, w 0 directional 1 spot
    vec4 light_dir[MAX_LIGHTS];         // xyz, w cosine of cutoff
    vec4 light_att[MAX_LIGHTS];         // constant, linear, quadratic, exponent
    vec4 light_ambient[MAX_LIGHTS];     // rgb
    vec4 light_diffuse[MAX_LIGHTS];
    vec4 light_specular[MAX_LIGHTS];
    mat4 shadow_matrix[MAX_LIGHTS];     // world to (0..1, 0..1, depth) of the tile
    vec4 shadow_tile[MAX_LIGHTS];       // offset xy and size zw of the tile in the atlas
    vec4 shadow_texel;                  // x one texel of the atlas
};

// The lights are unrolled by the program's variant: LIGHTS_PLAIN is a row of DIRECTIONAL(i) and SPOT(i), LIGHTS_CAST one of
// DIRECTIONAL_CAST(i, tile) and SPOT_CAST(i, tile). Constant indices keep the block's values in registers, which halves the cost in software.

// ambient + diffuse + specular of light i shining along -l; color: ambient and diffuse colour, gloss: specular, shininess
vec3 light_sum(int i, vec3 l, vec3 n, vec3 v, vec3 color, vec2 gloss) {
    float nl = max(dot(n, l), 0.0);
    float nh = max(dot(n, normalize(l + v)), 1e-6);
    float shine = nl > 0.0 ? gloss.x * pow(nh, gloss.y) : 0.0;
    return color * (light_ambient[i].rgb + light_diffuse[i].rgb * nl) + shine * light_specular[i].rgb;
}
vec3 spot_sum(int i, vec3 world, vec3 n, vec3 v, vec3 color, vec2 gloss) {
    vec3 to = light_pos[i].xyz - world;
    float d = length(to);
    vec3 l = to / max(d, 1e-9);
    float c = -dot(l, light_dir[i].xyz);
    vec4 a = light_att[i];
    float scale = pow(max(c, 1e-6), a.w) / max(a.x + d * (a.y + d * a.z), 1e-9);
    return c < light_dir[i].w ? vec3(0) : scale * light_sum(i, l, n, v, color, gloss);
}
