// one per picture (main, mirrored, or a light's): std140, binding 0
layout(std140) uniform View {
    mat4 viewproj;
    vec4 eye;           // xyz position, w 1 if orthographic
    vec4 forward;       // xyz, w depth by which each segment number comes nearer than the one before
    vec4 clip;          // plane kept where dot(clip, world) >= 0
    vec4 viewport;      // width, height, 1/width, 1/height [pixel]
    vec4 fog_color;     // rgb, w 1 if fog is on
    vec4 fog_range;     // start, end, far plane
    vec4 rgb_scale;     // x scales surface colours (reflectance in the mirrored picture)
};
float eye_depth(vec3 world) { return dot(world - eye.xyz, forward.xyz); }
// how much of a colour the fog lets through
float fog_factor(float depth) {
#if defined(FOG) && !FOG
    return 1.0;
#else
    return fog_color.w < 0.5 ? 1.0 : clamp((fog_range.y - depth) / max(fog_range.y - fog_range.x, 1e-9), 0.0, 1.0);
#endif
}
vec3 with_fog(vec3 color, float depth) { return mix(fog_color.rgb, color, fog_factor(depth)); }
