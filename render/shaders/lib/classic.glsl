// the light model of the fixed pipeline, evaluated per pixel: the sum of the lights is clamped, then scaled by the surface's texture;
// a light that casts shadows is clamped by itself and added where it arrives
vec3 light_sum(int i, vec4 beam, Surface s) {
    float nl = max(dot(s.normal, beam.xyz), 0.0);
    float nh = max(dot(s.normal, normalize(beam.xyz + s.view)), 1e-6);
    float shine = nl > 0.0 ? s.specular * pow(nh, s.shininess) : 0.0;
    return beam.w * (s.color * (light_ambient[i].rgb + light_diffuse[i].rgb * nl) + shine * light_specular[i].rgb);
}
#if SHADOW
vec3 arriving(int i, int first, int tiles, float reach, vec4 beam, Surface s) {
    return lit(first, tiles, s.world, s.normal, reach) * min(light_sum(i, beam, s), 1.0);
}
#endif
#define DIRECTIONAL(i) plain += light_sum(i, directional_beam(i), s);
#define SPOT(i) plain += light_sum(i, spot_beam(i, s.world), s);
#define POINT(i) plain += light_sum(i, point_beam(i, s.world), s);
#define DIRECTIONAL_CAST(i, first, tiles) shadowed += arriving(i, first, tiles, 1.0, directional_beam(i), s);
#define SPOT_CAST(i, first, tiles) shadowed += arriving(i, first, tiles, distance(light_pos[i].xyz, s.world), spot_beam(i, s.world), s);
#define POINT_CAST(i, first, tiles) shadowed += arriving(i, first, tiles, distance(light_pos[i].xyz, s.world), point_beam(i, s.world), s);

vec3 shade(Surface s) {
    vec3 plain = s.color * (s.emission + light_global.rgb);
    vec3 shadowed = vec3(0);
    LIGHTS_PLAIN
    LIGHTS_CAST
    float depth = eye_depth(s.world);
    return with_fog(min(plain, 1.0) * s.tint, depth) + shadowed * s.tint * fog_factor(depth);
}
