// the surface program's main in the physical look: what a point is painted with, then its light
#if LAYERS & 1
uniform sampler2D layer_normal;
#endif
#if LAYERS & 2
uniform sampler2D layer_occlusion;      // with LAYERS & 16 roughness and metallic beside it
#endif
#if LAYERS & 4
uniform sampler2D layer_roughness;
#endif
#if LAYERS & 8
uniform sampler2D layer_metallic;
#endif
#if LAYERS & 32
uniform sampler2D layer_emissive;
#endif
#define TERRAIN 0.7     // least roughness of what is flat throughout, height fields and hulls: its facets would glitter
#if LAYERS & 64
uniform sampler2D layer_opacity;
#define SOLID 0.995
#endif
#if REFLECTION
uniform vec2 reflectance;      // of a mirror, straight on and at grazing angles
#endif

#ifdef GLOW
#define DIMMEST 0.5     // as in passes/bloom.py
uniform sampler2D points;       // w: distances of what is seen
#endif

#if LAYERS & 1
vec3 bumped(vec3 n) {       // the image's axes on the surface follow from how its coordinates change over the screen
    vec3 px = dFdx(v_world), py = dFdy(v_world), m = 2.0 * texture(layer_normal, v_uv).rgb - 1.0;
    vec2 ux = dFdx(v_uv), uy = dFdy(v_uv);
    vec3 a = cross(py, n), b = cross(n, px), t = a * ux.x + b * uy.x, u = a * ux.y + b * uy.y;
    float longest = max(dot(t, t), dot(u, u));
    return longest < 1e-20 ? n : normalize(mat3(t * inversesqrt(longest), -u * inversesqrt(longest), n) * m);
}
#endif

flat in vec3 v_light;        // of the instance's colour

void main() {
    vec4 base = v_rgba, tex = vec4(1);
#if TEXTURE
    tex = texture(image, v_uv);
#endif
    vec3 view = eye.w > 0.5 ? -forward.xyz : normalize(eye.xyz - v_world);
    vec3 n = normal_at(v_normal, v_world, view);
    n = dot(n, view) < 0.0 && !gl_FrontFacing ? -n : n;
    Surface s = Surface(v_world, n, view, base.rgb, tex.rgb, v_surface.x, v_surface.y, v_surface.z);
    float alpha = base.a * tex.a;
#if LAYERS & 64
    // what is quite solid is drawn with the opaque things, the rest laid over later
    alpha *= texture(layer_opacity, v_uv).r;
    if (base.a >= SOLID && (alpha >= SOLID) == bool(CLEAR)) discard;
#endif
    if (v_surface.y < 0.0) {
        f_color = vec4(decor(s), alpha);
        return;
    }
    vec3 color = v_light;
#if TEXTURE
#if CODED
    color *= light_of(tex.rgb);
#else
    color *= tex.rgb;
#endif
#endif
    vec3 own = color * s.emission;
#if LAYERS & 32
    own += light_of(texture(layer_emissive, v_uv).rgb) * (s.emission > 0.0 ? s.emission : 1.0);
#endif
#ifdef GLOW     // only what shines by itself, where nothing hides it
    float far = eye_depth(v_world), free = texelFetch(points, ivec2(gl_FragCoord.xy * viewport.zw * vec2(textureSize(points, 0))), 0).w;
    if (far > 1.02 * free) discard;
    float strongest = max(max(own.r, own.g), max(own.b, 1e-6));
    f_color = vec4(own * (max(strongest - DIMMEST, 0.0) / strongest * fog_factor(far) * alpha), 1);
    return;
#endif
    float metal = clamp((v_surface.x - DULLEST_METAL) / (1.0 - DULLEST_METAL), 0.0, 1.0), f0 = metal > 0.0 ? 0.5 * DULLEST_METAL : v_surface.x;
    float rough = v_surface.y, open_ = 1.0;
#if LAYERS & 2
    vec3 orm = texture(layer_occlusion, v_uv).rgb;
    open_ = orm.r;
#endif
#if LAYERS & 16
    rough *= orm.g;
    metal *= orm.b;
#endif
#if LAYERS & 4
    rough *= texture(layer_roughness, v_uv).r;
#endif
#if LAYERS & 8
    metal *= texture(layer_metallic, v_uv).r;
#endif
#if FLAT == 2
    rough = max(rough, TERRAIN);
#endif
#if LAYERS & 1
    n = bumped(n);
#endif
    PbrMaterial p = pbr_material(s, n, color, metal, f0, rough);
    p.occlusion = open_;
#if OCCLUSION
    p.occlusion = min(open_, seen_around(v_world));
#endif
    vec3 light = lit_by_all(s, n, p);
#if REFLECTION
    if (v_top > 0.5) {
        vec4 m = texture(mirror, gl_FragCoord.xy * viewport.zw);
        light = mix(light, light_of(m.rgb / max(m.a, 1e-3)), m.a * mix(reflectance.x, reflectance.y, grazing(p.nv)));
    }
#endif
    light += own;
#if CLEAR
    alpha = min(alpha + (1.0 - alpha) * p.gloss.g, 1.0);        // what shines is seen on glass too
#endif
    f_color = vec4(with_fog(display_of(shown(light)), eye_depth(v_world)), alpha);
}
