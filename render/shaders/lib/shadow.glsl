// how much light arrives through shadow tile t: 1 lit, 0 in shadow; outside its map everything is lit
uniform sampler2DShadow shadow_atlas;
float lit(int t, vec3 world) {
    vec4 c = shadow_matrix[t] * vec4(world, 1);
    c.xyz /= c.w;
    float edge = shadow_texel.x / shadow_tile[t].z;
    bool outside = c.w <= 0.0 || any(lessThan(c.xy, vec2(edge))) || any(greaterThan(c.xy, vec2(1.0 - edge))) || c.z > 1.0;
    vec2 at = shadow_tile[t].xy + c.xy * shadow_tile[t].zw;
#if PCF <= 1
    return outside ? 1.0 : texture(shadow_atlas, vec3(at, c.z));
#else
    if (outside) return 1.0;
    float sum = 0.0;
    for (int x = 0; x < PCF; x++) for (int y = 0; y < PCF; y++)
        sum += texture(shadow_atlas, vec3(at + (vec2(x, y) - 0.5 * float(PCF - 1)) * shadow_texel.x, c.z));
    return sum / float(PCF * PCF);
#endif
}
