const vertexShader = `#version 300 es
precision highp float;
uniform highp sampler2D bones; // four texels a matrix, sixteen matrices a row
uniform int first;             // matrix of the mesh's first joint
uniform mat4 place, view;      // file to stage, stage to screen
uniform vec3 flatten;          // stage: where shadows fall along; 0 for the model itself
in vec3 position, normal;
in vec2 uv;
in vec4 color, weights0, weights1;
in uvec4 joints0, joints1;
out vec3 at, facing;
out vec2 where;
out vec4 tint;
mat4 bone(uint joint)
{
    int n = first + int(joint);
    ivec2 texel = ivec2(n % 16 * 4, n / 16);
    return mat4(texelFetch(bones, texel, 0), texelFetch(bones, texel + ivec2(1, 0), 0),
                texelFetch(bones, texel + ivec2(2, 0), 0), texelFetch(bones, texel + ivec2(3, 0), 0));
}
void main()
{
    mat4 skin = weights0.x * bone(joints0.x);
    if (weights0.y > 0.0) skin += weights0.y * bone(joints0.y);
    if (weights0.z > 0.0) skin += weights0.z * bone(joints0.z);
    if (weights0.w > 0.0) skin += weights0.w * bone(joints0.w);
    if (weights1.x > 0.0) skin += weights1.x * bone(joints1.x);
    if (weights1.y > 0.0) skin += weights1.y * bone(joints1.y);
    if (weights1.z > 0.0) skin += weights1.z * bone(joints1.z);
    if (weights1.w > 0.0) skin += weights1.w * bone(joints1.w);
    vec4 stage = place * skin * vec4(position, 1);
    if (flatten != vec3(0)) stage.xyz -= flatten * (stage.y / flatten.y);
    at = stage.xyz;
    facing = mat3(place) * mat3(skin) * normal;
    where = uv;
    tint = color;
    gl_Position = view * stage;
}`;

const fragmentShader = `#version 300 es
precision highp float;
uniform sampler2D baseMap, normalMap, emissiveMap;
uniform vec4 base;
uniform vec3 emissive, eye, sun;
uniform float metallic, roughness, cutoff; // cutoff below 0: alpha is not looked at
uniform bool opaque, hasNormals, hasNormalMap, shadow;
in vec3 at, facing;
in vec2 where;
in vec4 tint;
out vec4 pixel;
vec3 normalAt(vec3 toEye)
{
    vec3 dx = dFdx(at), dy = dFdy(at), n = hasNormals ? normalize(facing) : normalize(cross(dx, dy));
    if (dot(n, toEye) < 0.0 && (!hasNormals || dot(cross(dx, dy), toEye) * dot(cross(dx, dy), n) < 0.0)) n = -n;
    if (!hasNormalMap) return n;
    vec2 du = dFdx(where), dv = dFdy(where);
    vec3 t = dx * dv.y - dy * du.y, b = dy * du.x - dx * dv.x;
    float longest = max(dot(t, t), dot(b, b));
    if (longest == 0.0) return n;
    vec3 m = texture(normalMap, where).xyz * 2.0 - 1.0;
    return normalize((t * m.x - b * m.y) * inversesqrt(longest) + n * m.z);
}
void main()
{
    vec4 albedo = base * tint * texture(baseMap, where);
    if (cutoff >= 0.0 && albedo.a < cutoff) discard;
    if (opaque) albedo.a = 1.0;
    if (shadow) {
        pixel = vec4(0, 0, 0, 0.3 * albedo.a);
        return;
    }
    vec3 v = normalize(eye - at), n = normalAt(v), h = normalize(v + sun);
    float nl = max(dot(n, sun), 0.0), nh = max(dot(n, h), 0.0), nv = max(dot(n, v), 0.0);
    float a = max(roughness * roughness, 0.05);
    float d = nh * nh * (a * a - 1.0) + 1.0, spread = a * a / (3.14159 * d * d);
    vec3 f0 = mix(vec3(0.04), albedo.rgb, metallic), f = f0 + (1.0 - f0) * pow(1.0 - max(dot(h, v), 0.0), 5.0);
    vec3 ambient = mix(vec3(0.30, 0.28, 0.26), vec3(0.62, 0.66, 0.72), 0.5 + 0.5 * n.y);
    float rim = 0.15 * pow(1.0 - nv, 3.0);
    vec3 light = albedo.rgb * (1.0 - 0.7 * metallic) * (ambient + 2.0 * nl + rim);
    light += f * (0.25 * spread * nl * 2.0 + 0.35 * ambient * (1.0 - 0.8 * roughness));
    light += emissive * texture(emissiveMap, where).rgb;
    light = light * (1.0 + 0.12 * light) / (1.0 + 0.62 * light); // brightest lights fade into white
    pixel = vec4(pow(light, vec3(1.0 / 2.2)), albedo.a);
}`;

const floorVertex = `#version 300 es
precision highp float;
uniform mat4 view;
out vec3 at;
void main()
{
    at = vec3(gl_VertexID % 2 * 2 - 1, 0, gl_VertexID / 2 * 2 - 1) * 12.0;
    gl_Position = view * vec4(at, 1);
}`;

const floorFragment = `#version 300 es
precision highp float;
uniform vec4 line;
uniform vec2 shift; // of the lines
in vec3 at;
out vec4 pixel;
void main()
{
    vec2 grid = (at.xz + shift) * 2.0, far = abs(fract(grid - 0.5) - 0.5) / fwidth(grid);
    float on = 1.0 - min(min(far.x, far.y), 1.0), fade = 1.0 - smoothstep(0.6, 5.0, length(at.xz));
    pixel = vec4(line.rgb, line.a * on * fade);
}`;
