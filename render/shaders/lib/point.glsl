// what a light model needs to know of a point; directions are unit vectors, color is without tint, the texture's
struct Surface { vec3 world; vec3 normal; vec3 view; vec3 color; vec3 tint; float specular; float shininess; float emission; };
vec3 toward_eye(vec3 world) { return eye.w > 0.5 ? -forward.xyz : normalize(eye.xyz - world); }
