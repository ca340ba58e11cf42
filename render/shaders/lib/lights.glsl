// the light model of the fixed pipeline, evaluated per pixel: each light's sum is clamped, then scaled by the surface's texture
#define MAX_LIGHTS 16
layout(std140) uniform Lights {
    vec4 light_global;                  // rgb ambient without lights, w number of lights
    vec4 light_pos[MAX_LIGHTS];         // xyz, w 0 directional 1 spot
    vec4 light_dir[MAX_LIGHTS];         // xyz, w cosine of cutoff
    vec4 light_att[MAX_LIGHTS];         // constant, linear, quadratic, exponent
    vec4 light_ambient[MAX_LIGHTS];     // rgb, w number of the shadow tile or -1
    vec4 light_diffuse[MAX_LIGHTS];
    vec4 light_specular[MAX_LIGHTS];
    mat4 shadow_matrix[MAX_LIGHTS];     // world to (0..1, 0..1, depth) of the tile
    vec4 shadow_tile[MAX_LIGHTS];       // offset xy and size zw of the tile in the atlas
    vec4 shadow_texel;                  // x one texel of the atlas
};

// ambient + diffuse + specular of light i; color: ambient and diffuse colour, gloss: specular, shininess
vec3 light_sum(int i, vec3 world, vec3 n, vec3 v, vec3 color, vec2 gloss) {
    vec3 l = -light_dir[i].xyz;
    float scale = 1.0;
    if (light_pos[i].w > 0.5) {
        vec3 to = light_pos[i].xyz - world;
        float d = length(to);
        l = to / max(d, 1e-9);
        float c = dot(-l, light_dir[i].xyz);
        if (c < light_dir[i].w) return vec3(0);
        vec4 a = light_att[i];
        scale = (a.w > 0.0 ? pow(max(c, 0.0), a.w) : 1.0) / max(a.x + d * (a.y + d * a.z), 1e-9);
    }
    float nl = dot(n, l);
    vec3 sum = color * light_ambient[i].rgb;
    if (nl > 0.0) {
        sum += color * light_diffuse[i].rgb * nl;
        float nh = max(dot(n, normalize(l + v)), 0.0);
        sum += gloss.x * light_specular[i].rgb * (gloss.y > 0.0 ? pow(max(nh, 1e-6), gloss.y) : 1.0);
    }
    return scale * sum;
}
