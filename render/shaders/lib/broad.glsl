// the classic light model on a broad plane: light is computed at the corners of tiles, over which it changes little (passes/ground_tiles.py);
// edges of cones, where it does, are found per pixel
#ifdef AT_CORNERS
#define VARYING out
#else
#define VARYING in
#endif
VARYING vec3 v_plain;
#if CONES
VARYING vec3 v_cone[CONES];
#endif
#if CASTING
VARYING vec3 v_cast[CASTING];
#endif
#define TO_LIGHT(i) distance(light_pos[i].xyz, s.world)

#ifdef AT_CORNERS
vec4 beam_beyond_cone(int i, vec3 world) {
    vec4 beam = point_beam(i, world);
    beam.w *= pow(max(-dot(beam.xyz, light_dir[i].xyz), 1e-6), light_att[i].w);
    return beam;
}
#define DIRECTIONAL(i) plain += light_sum(i, directional_beam(i), s);
#define POINT(i) plain += light_sum(i, point_beam(i, s.world), s);
#define SPOT(i) v_cone[j++] = light_sum(i, beam_beyond_cone(i, s.world), s);
#define DIRECTIONAL_CAST(i, first, tiles) v_cast[k++] = light_sum(i, directional_beam(i), s);
#define POINT_CAST(i, first, tiles) v_cast[k++] = light_sum(i, point_beam(i, s.world), s);
#define SPOT_CAST(i, first, tiles) v_cast[k++] = light_sum(i, beam_beyond_cone(i, s.world), s);
void compute(Surface s) {
    vec3 plain = s.color * (s.emission + light_global.rgb);
    int j = 0, k = 0;
    LIGHTS_PLAIN
    LIGHTS_CAST
    v_plain = plain;
}
#else
float in_cone(int i, vec3 world) {
    vec3 from = world - light_pos[i].xyz;
    return dot(from, light_dir[i].xyz) < light_dir[i].w * length(from) ? 0.0 : 1.0;
}
#define DIRECTIONAL(i)
#define POINT(i)
#define SPOT(i) plain += in_cone(i, s.world) * v_cone[j++];
#define DIRECTIONAL_CAST(i, first, tiles) shadowed += lit(first, tiles, s.world, s.normal, 1.0) * min(v_cast[k++], 1.0);
#define POINT_CAST(i, first, tiles) shadowed += lit(first, tiles, s.world, s.normal, TO_LIGHT(i)) * min(v_cast[k++], 1.0);
#define SPOT_CAST(i, first, tiles) shadowed += lit(first, tiles, s.world, s.normal, TO_LIGHT(i)) * in_cone(i, s.world) * min(v_cast[k++], 1.0);
vec3 shade(Surface s) {
    vec3 shadowed = vec3(0), plain = v_plain;
    int j = 0, k = 0;
    LIGHTS_PLAIN
    LIGHTS_CAST
    float depth = eye_depth(s.world);
    return with_fog(min(plain, 1.0) * s.tint, depth) + shadowed * s.tint * fog_factor(depth);
}
#endif
