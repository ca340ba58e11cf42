// what a surface sends out of one light, as the fixed pipeline has it
vec3 light_sum(int i, vec4 beam, Surface s) {
    float nl = max(dot(s.normal, beam.xyz), 0.0);
    vec3 half_way = beam.xyz + s.view;
    float nh = max(dot(s.normal, half_way), 0.0);       // its square needs no root of the length
    float shine = nl > 0.0 ? s.specular * pow(max(nh * nh / max(dot(half_way, half_way), 1e-12), 1e-12), 0.5 * s.shininess) : 0.0;
    return beam.w * (s.color * (light_ambient[i].rgb + light_diffuse[i].rgb * nl) + shine * light_specular[i].rgb);
}
