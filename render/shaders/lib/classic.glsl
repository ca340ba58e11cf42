// the light model of the fixed pipeline, evaluated per pixel, or with CORNERS at the corners of triangles: the sum of the lights is clamped, then scaled by the surface's texture;
// a light that casts shadows is clamped by itself and added where it arrives
#define DIRECTIONAL(i) plain += light_sum(i, directional_beam(i), s);
#define SPOT(i) plain += light_sum(i, spot_beam(i, s.world), s);
#define POINT(i) plain += light_sum(i, point_beam(i, s.world), s);
#define TO_LIGHT(i) distance(light_pos[i].xyz, s.world)
#if CORNERS
#ifdef AT_CORNERS
#define DIRECTION out
#else
#define DIRECTION in
#endif
#if FLAT
#define VARYING flat DIRECTION
#else
#define VARYING DIRECTION
#endif
VARYING vec3 v_plain;
#if SHADOW
VARYING vec3 v_cast[CASTING];
#endif
#endif

#ifdef AT_CORNERS
#define DIRECTIONAL_CAST(i, first, tiles) v_cast[k++] = min(light_sum(i, directional_beam(i), s), 1.0);
#define SPOT_CAST(i, first, tiles) v_cast[k++] = min(light_sum(i, spot_beam(i, s.world), s), 1.0);
#define POINT_CAST(i, first, tiles) v_cast[k++] = min(light_sum(i, point_beam(i, s.world), s), 1.0);
void compute(Surface s) {
    vec3 plain = s.color * (s.emission + light_global.rgb);
    int k = 0;
    LIGHTS_PLAIN
    LIGHTS_CAST
    v_plain = min(plain, 1.0);
}
#else
#if CORNERS
#define ARRIVING(i, beam) v_cast[k++]
#else
#define ARRIVING(i, beam) min(light_sum(i, beam, s), 1.0)
#endif
#define DIRECTIONAL_CAST(i, first, tiles) shadowed += lit(first, tiles, s.world, s.normal, 1.0) * ARRIVING(i, directional_beam(i));
#define SPOT_CAST(i, first, tiles) shadowed += lit(first, tiles, s.world, s.normal, TO_LIGHT(i)) * ARRIVING(i, spot_beam(i, s.world));
#define POINT_CAST(i, first, tiles) shadowed += lit(first, tiles, s.world, s.normal, TO_LIGHT(i)) * ARRIVING(i, point_beam(i, s.world));
vec3 shade(Surface s) {
    vec3 shadowed = vec3(0);
#if CORNERS
    vec3 plain = v_plain;
    int k = 0;
#else
    vec3 plain = s.color * (s.emission + light_global.rgb);
    LIGHTS_PLAIN
#endif
    LIGHTS_CAST
    float depth = eye_depth(s.world);
    return with_fog(min(plain, 1.0) * s.tint, depth) + shadowed * s.tint * fog_factor(depth);
}
#endif
