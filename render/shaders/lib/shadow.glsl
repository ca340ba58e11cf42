// how much of a light arrives through its shadow maps: 1 lit, 0 in shadow; what lies outside all of them is lit
uniform sampler2DShadow shadow_atlas;
float shadow_tap(int t, vec3 c) {
    vec2 at = shadow_tile[t].xy + c.xy * shadow_tile[t].zw;
#if PCF <= 1
    return texture(shadow_atlas, vec3(at, c.z));
#else
    float sum = 0.0;
    for (int x = 0; x < PCF; x++) for (int y = 0; y < PCF; y++)
        sum += texture(shadow_atlas, vec3(at + (vec2(x, y) - 0.5 * float(PCF - 1)) * shadow_texel.x, c.z));
    return sum / float(PCF * PCF);
#endif
}
// tiles first .. first + count of one light, the finest first; n: unit normal, l: unit vector towards the light
float lit(int first, int count, vec3 world, vec3 n, vec3 l) {
    vec3 shift = n * sqrt(max(1.0 - dot(n, l) * dot(n, l), 0.0));     // a surface that faces the light needs none
    for (int t = first; t < first + count; t++) {
        vec4 c = shadow_matrix[t] * vec4(world, 1);
        c += shadow_matrix[t] * vec4(shadow_reading[t].x * c.w * shift, 0);
        if (c.w <= 0.0) continue;
        c.xyz /= c.w;
        float margin = shadow_reading[t].y;
        if (any(lessThan(c.xy, vec2(margin))) || any(greaterThan(c.xy, vec2(1.0 - margin))) || c.z > shadow_reading[t].z) continue;
        return shadow_tap(t, c.xyz);
    }
    return 1.0;
}
