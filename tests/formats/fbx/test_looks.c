// Materials and pictures in the files of er_fbx_write(), as readers ask for them that are not Assimp.
#include <stdio.h>
#include <string.h>

#include <eigenrig/formats.h>

#include "made.h"
#include "support/place.h"
#include "tree.h"

static int open_place(void **state)
{
    return place_open(state, "out.fbx", "again.fbx", "");
}

static fbx_file written(place *p, const er_scene *scene)
{
    if (er_fbx_write(p->own, scene, 0, NULL, NULL, p->out) != ER_OK) fail_msg("%s", er_context_error(p->own));
    return fbx_read(p->arena, p->out);
}

// --- materials

static void expect_material(const fbx_record *material, const char *name, const er_material *m, double opacity,
                            double roughness, double metallic)
{
    const double smooth = pow(10.0 * (1.0 - roughness), 2);
    er_vec3 base = er_v3((double)m->base_color[0], (double)m->base_color[1], (double)m->base_color[2]),
            glow = er_v3((double)m->emissive[0], (double)m->emissive[1], (double)m->emissive[2]);
    assert_string_equal(material->value[1].text, name);
    assert_string_equal(fbx_type(material), "");
    assert_int_equal(fbx_int(material, "Version"), 102);
    assert_string_equal(fbx_text(material, "ShadingModel"), "Phong");
    assert_int_equal(fbx_int(material, "MultiLayer"), 0);
    assert_true(er_v3_distance(fbx_vector(material, "DiffuseColor"), base) == 0.0);
    assert_true(er_v3_distance(fbx_vector(material, "EmissiveColor"), glow) == 0.0);
    assert_true(fbx_number(material, "Opacity") == opacity);
    assert_true(fbx_number(material, "TransparencyFactor") == 1.0 - opacity);
    assert_true(fabs(fbx_number(material, "Shininess") - smooth) < 1e-6);
    assert_true(fbx_number(material, "ShininessExponent") == fbx_number(material, "Shininess"));
    assert_true(fabs(fbx_number(material, "ReflectionFactor") - metallic) < 1e-7);
    assert_true(fbx_number(material, "Maya|metallic") == fbx_number(material, "ReflectionFactor"));
}

// Alpha counts where it blends. A mesh without a material has one of light grey, which is there only then.
static void materials_are_told_in_all_the_ways_of_readers(void **state)
{
    place *p = *state;
    static const struct {
        er_alpha_mode mode;
        double opacity;
        float roughness, metallic;
    } cases[] = {{ER_ALPHA_BLEND, 0.25, 0.5f, 0.75f}, {ER_ALPHA_MASK, 1, 1, 1}, {ER_ALPHA_OPAQUE, 1, 0, 0}};
    static const er_material plain = {.base_color = {0.8f, 0.8f, 0.8f, 1}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i)
        for (int bare = 0; bare < 2; ++bare) {
            er_scene *scene = made_scene(p->arena, "parts");
            er_material *m = (er_material *)(uintptr_t)scene->material;
            m->base_color[1] = 0.5f;
            m->base_color[3] = 0.25f;
            m->emissive[2] = 0.25f;
            m->alpha_mode = cases[i].mode;
            m->roughness = cases[i].roughness;
            m->metallic = cases[i].metallic;
            ((er_mesh *)(uintptr_t)scene->mesh)[1].material = bare ? -1 : 0;
            fbx_file file = written(p, scene);
            assert_int_equal(fbx_count(&file, "Material"), 1 + bare);
            expect_material(fbx_nth(&file, "Material", 0), "painted", m, cases[i].opacity, (double)m->roughness,
                            (double)m->metallic);
            if (bare) expect_material(fbx_nth(&file, "Material", 1), "DefaultMaterial", &plain, 1, 1, 0);
        }
}

// --- pictures

static void expect_picture(const fbx_file *file, const fbx_record *material, const char *property, const char *name,
                           const er_image *image)
{
    const fbx_record *texture = fbx_child(file, fbx_id(material), property, "Texture", 0);
    assert_int_equal(texture != NULL, name != NULL);
    if (name == NULL) return;
    const fbx_record *video = fbx_child(file, fbx_id(texture), NULL, "Video", 0), *content = fbx_one(video, "Content");
    static const char *const files[] = {"TextureName", "Media", "FileName", "RelativeFilename"};
    for (int i = 0; i < 4; ++i)
        assert_string_equal(fbx_text(texture, files[i]), name);
    assert_string_equal(texture->value[1].text, name);
    assert_string_equal(fbx_type(texture), "");
    assert_string_equal(fbx_text(texture, "Type"), "TextureVideoClip");
    assert_int_equal(fbx_int(texture, "Version"), 202);
    assert_true(fbx_number(texture, "UseMaterial") == 1.0);
    assert_string_equal(video->value[1].text, name);
    assert_string_equal(fbx_type(video), "Clip");
    assert_string_equal(fbx_text(video, "Type"), "Clip");
    assert_true(fbx_number(video, "UseMipMap") == 0.0 && fbx_int(video, "UseMipMap") == 0);
    assert_string_equal(fbx_text(video, "Filename"), name);
    assert_string_equal(fbx_text(video, "RelativeFilename"), name);
    assert_true(content->value_count == 1 && content->value[0].kind == 'R' && content->value[0].count == image->size);
    assert_memory_equal(content->value[0].text, image->bytes, image->size);
}

// A picture lies in the file once, called as the last part of its path with the ending of its kind, each otherwise.
static void pictures_lie_in_the_file_once_by_names_that_differ(void **state)
{
    place *p = *state;
    static const struct {
        const char *name, *mime, *file;
    } known[] = {{"C:\\art\\red fox.PNG", "image/png", "red fox.png"},
                 {"art/red fox.jpeg", "image/jpeg", "red fox (2).jpg"},
                 {"a.b.tga", "image/png", "a.b.png"},
                 {"x/.png", "image/jpeg", ".png.jpg"},
                 {"x/", "image/png", "picture.png"},
                 {"f", "image/jpeg", "f.jpg"}};
    static const char *const properties[] = {"DiffuseColor", "NormalMap", "EmissiveColor"};
    uint8_t bytes[ERI_COUNT(known)][4];
    er_image image[ERI_COUNT(known)];
    for (size_t i = 0; i < ERI_COUNT(known); ++i) {
        for (size_t k = 0; k < 4; ++k)
            bytes[i][k] = (uint8_t)(17 * i + k);
        image[i] = (er_image){known[i].name, known[i].mime, bytes[i], i == 5 ? 1 : 4};
    }
    static const int uses[4][3] = {{0, 1, 2}, {3, 0, -1}, {-1, 4, 5}, {5, -1, -1}};
    er_material material[4];
    er_scene *scene = made_scene(p->arena, "parts");
    for (int i = 0; i < 4; ++i)
        material[i] = (er_material){
            .name = "m", .base_color_image = uses[i][0], .normal_image = uses[i][1], .emissive_image = uses[i][2]};
    scene->material = material;
    scene->material_count = 4;
    scene->image = image;
    scene->image_count = (int)ERI_COUNT(image);
    fbx_file file = written(p, scene);
    assert_int_equal(fbx_count(&file, "Texture"), (int)ERI_COUNT(known));
    assert_int_equal(fbx_count(&file, "Video"), (int)ERI_COUNT(known));
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k) {
            bool there = uses[i][k] >= 0;
            expect_picture(&file, fbx_nth(&file, "Material", i), properties[k], there ? known[uses[i][k]].file : NULL,
                           there ? &image[uses[i][k]] : NULL);
        }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_place, place_close)
    const struct CMUnitTest tests[] = {
        TEST(materials_are_told_in_all_the_ways_of_readers),
        TEST(pictures_lie_in_the_file_once_by_names_that_differ),
    };
    return cmocka_run_group_tests_name("fbx_looks", tests, NULL, NULL);
}
