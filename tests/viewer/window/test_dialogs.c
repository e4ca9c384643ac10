// Files that are opened, saved and written by dialogs, and scripts that do what hands do.
#include "app_driver.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/sample.h"
#include "viewer/window/listing.h"

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(sample_path(name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static bool is_file(const char *name)
{
    return access(sample_path(name), F_OK) == 0;
}

static long size_of(const char *name)
{
    struct stat is;
    assert_int_equal(stat(sample_path(name), &is), 0);
    return (long)is.st_size;
}

static void replace_text(hands *h, const char *label, const char *text)
{
    click(h, label);
    key(h, "Ctrl+A");
    type_text(h, text);
}

static void folders_list_folders_first(void **state)
{
    static const char *const wanted[] = {"a folder", "Z folder", "A.json", "b.glb", "c.txt"};
    mkdir(sample_path("list"), 0700);
    mkdir(sample_path("list/Z folder"), 0700);
    mkdir(sample_path("list/a folder"), 0700);
    write_file("list/b.glb", "");
    write_file("list/c.txt", "");
    write_file("list/A.json", "");
    write_file("list/.hidden", "");
    listing *l = listing_create(sample_path("list"));
    assert_non_null(l);
    assert_int_equal(l->count, 5);
    for (int i = 0; i < 5; ++i) {
        assert_string_equal(l->entry[i].name, wanted[i]);
        assert_int_equal(l->entry[i].folder, i < 2);
    }
    listing_destroy(l);
    assert_null(listing_create("/no/where"));
    listing_destroy(NULL);
}

static void folders_are_walked_and_models_opened(void **state)
{
    hands *h = hands_begin(state, NULL, NARROW, 700);
    app *a = h->a;
    files_go_to(a, sample_path("list"));
    key(h, "Ctrl+O");
    frames(h, 2);
    assert_true(is_there(h, "    b.glb") && !is_there(h, "    c.txt")); // of the kinds that can be opened
    click(h, "Files of every kind");
    assert_true(is_there(h, "    c.txt"));
    click(h, "    c.txt");
    assert_string_equal(a->files.path, "c.txt");
    click(h, "\xE2\x96\xB8  a folder");
    assert_non_null(strstr(a->files.folder, "/list/a folder"));
    click(h, "up");
    assert_string_equal(strrchr(a->files.folder, '/'), "/list");
    files_go_to(a, "/no/where");
    assert_true(is_said(h, "/no/where"));
    assert_string_equal(strrchr(a->files.folder, '/'), "/list");
    click(h, "Cancel");
    assert_int_equal(a->dialog, DIALOG_NONE);
    files_show(a, DIALOG_OPEN);
    assert_string_equal(a->files.path, "");
    frames(h, 2);
    click(h, "Open"); // nothing
    assert_int_equal(a->dialog, DIALOG_OPEN);
    char path[4096];
    snprintf(path, sizeof path, "%s/models/four_bar.json", getenv("EIGENRIG_SOURCE"));
    replace_text(h, "Path", path);
    key(h, "Enter");
    frames(h, 3);
    assert_true(a->dialog == DIALOG_NONE && session_is_open(a->session));
    assert_string_equal(app_title(a), "four_bar.json - eigenrig");
}

static void mixes_and_poses_are_saved_and_opened(void **state)
{
    hands *h = hands_begin(state, "gnome.glb", NARROW, 700);
    app *a = h->a;
    files_show(a, DIALOG_DESCRIPTION_SAVE);
    assert_string_equal(a->files.path, "gnome.rig.lua");
    assert_string_equal(strrchr(a->files.folder, '/'), "/models");
    files_go_to(a, sample_folder());
    frames(h, 2);
    click(h, "Save");
    assert_true(is_file("gnome.rig.lua"));
    int mode = session_get(a->session)->component[0].mode;
    session_setup named = *session_get(a->session);
    snprintf(named.mix_name, sizeof named.mix_name, "a/b");
    change_setup(a, &named, true);
    key(h, "Ctrl+S");
    frames(h, 2);
    assert_string_equal(a->files.path, "a-b.json");
    click(h, "Save");
    assert_true(a->dialog == DIALOG_NONE && is_file("a-b.json") && is_said(h, "a-b.json"));
    key(h, "Ctrl+S");
    frames(h, 2);
    click(h, "Save"); // there is one
    assert_true(a->files.replace && a->dialog == DIALOG_MIX_SAVE);
    click(h, "Replace");
    assert_int_equal(a->dialog, DIALOG_NONE);
    palette_play(a, mode + 3);
    files_show(a, DIALOG_MIX_OPEN);
    snprintf(a->files.path, sizeof a->files.path, "a-b.json");
    frames(h, 2);
    click(h, "Open");
    assert_int_equal(session_get(a->session)->component[0].mode, mode);
    files_show(a, DIALOG_POSE_SAVE);
    frames(h, 2);
    click(h, "Save");
    assert_true(is_file("pose.json"));
    assert_int_equal(session_rotate(a->session, 3, er_v3(0, 0, 0.3), true), ER_OK);
    er_pose turned = session_model(a->session)->body[5].pose;
    files_show(a, DIALOG_POSE_OPEN);
    snprintf(a->files.path, sizeof a->files.path, "pose.json");
    frames(h, 2);
    click(h, "Open");
    assert_memory_not_equal(&turned, &session_model(a->session)->body[5].pose, sizeof turned);
    named.mix_name[0] = '\0';
    change_setup(a, &named, true);
    files_show(a, DIALOG_MIX_SAVE);
    assert_string_equal(a->files.path, "mix.json");
}

static void what_is_dropped_is_a_mix_a_pose_or_a_model(void **state)
{
    hands *h = hands_begin(state, "gnome.glb", 64, 48);
    app *a = h->a;
    int mode = session_get(a->session)->component[0].mode;
    palette_play(a, mode + 3);
    a->dialog = DIALOG_KEYS;
    app_drop(a, sample_path("a-b.json")); // as the test before saved it
    assert_int_equal(a->dialog, DIALOG_NONE);
    assert_int_equal(session_get(a->session)->component[0].mode, mode);
    assert_int_equal(session_rotate(a->session, 3, er_v3(0, 0, 0.3), true), ER_OK);
    er_pose turned = session_model(a->session)->body[5].pose;
    app_drop(a, sample_path("pose.json"));
    assert_memory_not_equal(&turned, &session_model(a->session)->body[5].pose, sizeof turned);
    write_file("mix.json", "no mix");
    app_drop(a, sample_path("mix.json"));
    assert_true(a->messages.list[a->messages.count - 1].kind == MESSAGE_ERROR);
    assert_string_equal(app_title(a), "gnome.glb - eigenrig");
    char path[4096];
    snprintf(path, sizeof path, "%s/models/loop_4.json", getenv("EIGENRIG_SOURCE"));
    app_drop(a, path);
    assert_string_equal(app_title(a), "loop_4.json - eigenrig");
    frames(h, 2);
    app_drop(a, "/no/where.glb");
    assert_string_equal(app_title(a), "loop_4.json - eigenrig");
}

// Words that say how the first model is to be read do not hold for the next.
static void another_model_is_read_as_usual(void **state)
{
    hands *h = hands_begin(state, "gnome.glb", 64, 48);
    app *a = h->a;
    h->def.asked.rig.pose = ER_POSE_CLIP;
    h->def.asked.rig.pose_clip = "run";
    h->def.asked.rig.skeleton = "no such node";
    h->def.asked.rig.root = ER_ROOT_FIXED;
    a->clock.time = 0.3;
    a->component = 5;
    int before = a->messages.count;
    char path[4096];
    snprintf(path, sizeof path, "%s/models/hand.glb", getenv("EIGENRIG_SOURCE"));
    open_model(a, path);
    assert_string_equal(app_title(a), "hand.glb - eigenrig");
    assert_int_equal(session_get(a->session)->pose, ER_POSE_REST);
    assert_int_equal(session_get(a->session)->root, ER_ROOT_FIXED);
    assert_true(a->clock.time == 0.0 && !a->view.framed);
    const er_modes *modes = session_modes(a->session);
    int elastic = 0;
    while (modes->mode[elastic].kind != ER_MODE_ELASTIC)
        ++elastic;
    assert_int_equal(a->palette.mode, er_modes_index(modes, &modes->mode[elastic])); // it plays
    assert_int_equal(session_get(a->session)->component[0].mode, a->palette.mode);
    assert_true(a->palette.scroll);
    assert_int_equal(a->messages.count - before, session_note_count(a->session));
    for (int i = 0; i < session_note_count(a->session); ++i)
        assert_int_equal(a->messages.list[before + i].kind, MESSAGE_KEPT);
}

// A BVH file does not say how large it is.
static void doubts_about_a_model_are_said_and_its_reading_is_shown(void **state)
{
    static const char bvh[] =
        "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT leg\n{\n"
        "OFFSET 0 40 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 40 0\n}\n}\n}\n"
        "MOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0 0 0 0\n";
    hands *h = hands_begin(state, "gnome.glb", NARROW, 700);
    app *a = h->a;
    assert_false(a->messages.shown || is_there(h, "Faces"));
    a->view.style.skeleton = false;
    open_model(a, sample_write("doubt.bvh", (const uint8_t *)bvh, sizeof bvh - 1));
    assert_string_equal(app_title(a), "doubt.bvh - eigenrig");
    assert_true(a->messages.shown && a->messages.list[a->messages.count - 1].kind == MESSAGE_ERROR);
    assert_true(a->view.style.skeleton);
    frames(h, 3);
    assert_true(is_there(h, "Faces"));
    click(h, "Mix");
    frames(h, 2);
    assert_false(is_there(h, "Faces")); // it came to the front once
}

// ---- export

// The viewer draws on after a picture that had an OpenGL context of its own.
static void pictures_are_written_as_render_draws_them(void **state)
{
    static const unsigned char png[] = {0x89, 'P', 'N', 'G'};
    static const char *const contents[] = {"what plays", "every mode on a sheet", "the reading of the rig"};
    hands *h = hands_begin(state, "hand.glb", 640, 760);
    export_state *e = &h->a->export;
    key(h, "Ctrl+E");
    frames(h, 2);
    choose(h, "Format", "picture, .png");
    for (int i = 0; i < 3; ++i) {
        unsigned char start[4] = {0};
        if (i > 0) choose(h, "Contents", contents[i]);
        assert_int_equal(e->picture, i);
        export_take_path(h->a, sample_path("out.png"));
        click(h, "Write");
        frames(h, 3);
        assert_true(is_file("out.png") && !e->failed && strstr(e->result, "out.png") != NULL);
        FILE *file = fopen(sample_path("out.png"), "rb");
        assert_non_null(file);
        assert_int_equal(fread(start, 1, sizeof start, file), sizeof start);
        fclose(file);
        assert_memory_equal(start, png, sizeof png);
        assert_int_equal(remove(sample_path("out.png")), 0);
    }
    choose(h, "Format", "film, animated PNG, .apng");
    assert_true(is_there(h, "Duration") && is_there(h, "Frames a second"));
    frames(h, 1);
    assert_int_equal(e->picture, PICTURE_PLAYED); // a reading does not move
    static const char *const films[][2] = {
        {"out.apng", "\x89PNG"}, {"out.gif", "GIF8"}, {"out.webm", "\x1a\x45\xdf\xa3"}, {"out.mp4", "\0\0\0"}};
    e->def.duration = 0.25;
    e->def.fps = 12.0;
    for (int i = 0; i < 4; ++i) {
        export_take_path(h->a, sample_path(films[i][0]));
        click(h, "Write");
        frames(h, 3);
        if (e->failed) { // only for want of ffmpeg
            assert_true(i > 0 && strstr(e->result, "ffmpeg") != NULL);
            continue;
        }
        char start[4] = {0};
        FILE *file = fopen(sample_path(films[i][0]), "rb");
        assert_non_null(file);
        assert_int_equal(fread(start, 1, sizeof start, file), sizeof start);
        fclose(file);
        assert_memory_equal(start, films[i][1], i < 3 ? 4 : 3);
        assert_int_equal(remove(sample_path(films[i][0])), 0);
    }
    key(h, "Esc");
}

static void motions_are_written_where_and_as_the_dialog_says(void **state)
{
    hands *h = hands_begin(state, "gnome.glb", 640, 760);
    app *a = h->a;
    export_state *e = &a->export;
    key(h, "Ctrl+E");
    frames(h, 2);
    assert_int_equal(a->dialog, DIALOG_EXPORT);
    assert_string_equal(strrchr(e->path, '/'), "/gnome_modes.glb"); // in this folder
    char here[PATH_SIZE];
    assert_non_null(getcwd(here, sizeof here));
    assert_memory_equal(e->path, here, strlen(here));
    choose(h, "Format", "the rig as tuned, .json");
    assert_string_equal(strrchr(e->path, '/'), "/gnome_modes.json");
    assert_false(is_there(h, "Clip name"));
    export_take_path(a, sample_path("out.bvh"));
    assert_true(e->own_path && strcmp(e->path, sample_path("out.bvh")) == 0);
    frames(h, 2);
    assert_true(is_there(h, "Clip name") && !is_there(h, "Contents")); // BVH holds one
    drag_widget(h, "Duration", 1000.0);
    near(e->def.duration, 60.0, 1e-9);
    drag_widget(h, "Duration", -1000.0);
    near(e->def.duration, 0.0, 0.0);
    drag_widget(h, "Frames a second", -1000.0);
    near(e->def.fps, 12.0, 1e-9);
    drag_widget(h, "Frames a second", 1000.0);
    near(e->def.fps, 240.0, 1e-9);
    drag_widget(h, "Tolerance", 1000.0);
    near(e->def.tolerance, 5.0, 1e-9);
    click(h, "Splines, in glTF");
    assert_true(e->def.splines);
    drag_widget(h, "Tolerance", -1000.0);
    click(h, "Splines, in glTF"); // of a key a frame there are none
    assert_true(e->def.splines);
    drag_widget(h, "Attack", 1000.0);
    near(e->def.attack, 10.0, 1e-9);
    drag_widget(h, "Attack", -1000.0);
    drag_widget(h, "Decay", 1000.0);
    near(e->def.decay, 10.0, 1e-9);
    drag_widget(h, "Decay", -1000.0);
    click(h, "Ring out"); // which nothing damps
    assert_false(e->def.ring);
    e->def.fps = 12.0;
    click(h, "Write");
    assert_true(is_file("out.bvh") && !e->failed && strstr(e->result, "out.bvh") != NULL);
    write_file("out.bvh", "mine");
    click(h, "Write");
    assert_true(e->replace && size_of("out.bvh") == 4);
    click(h, "Replace");
    assert_true(!e->replace && !e->failed && size_of("out.bvh") > 4);
    replace_text(h, "Path", "/no/where/out.bvh");
    key(h, "Enter");
    frames(h, 2);
    assert_true(e->failed && is_said(h, "/no/where"));
    choose(h, "Format", "glTF binary, .glb");
    assert_string_equal(e->path, "/no/where/out.glb");
    choose(h, "Contents", "every mode, a clip each");
    assert_true(e->def.palette);
    drag_widget(h, "Amplitude", 1000.0);
    near(e->def.degrees, 90.0, 1e-9);
    drag_widget(h, "Amplitude", -1000.0);
    near(e->def.degrees, 0.0, 0.0); // as far as each holds
    choose(h, "Contents", "the mix");
    assert_false(e->def.palette);
    click(h, "Choose a folder ...");
    assert_int_equal(a->dialog, DIALOG_EXPORT_TO);
    assert_string_equal(a->files.path, "out.glb");
    files_go_to(a, sample_folder());
    frames(h, 2);
    click(h, "Choose");
    assert_int_equal(a->dialog, DIALOG_EXPORT);
    assert_string_equal(e->path, sample_path("out.glb"));
    click(h, "Choose a folder ...");
    click(h, "Cancel");
    assert_int_equal(a->dialog, DIALOG_EXPORT);
    click(h, "Close");
    assert_int_equal(a->dialog, DIALOG_NONE);
    char longer[PATH_SIZE + 1];
    memset(longer, 'x', PATH_SIZE);
    longer[PATH_SIZE] = '\0';
    int said = a->messages.count;
    export_take_path(a, longer);
    assert_true(a->messages.count == said + 1 && a->messages.list[said].kind == MESSAGE_ERROR);
    assert_string_equal(e->path, sample_path("out.glb"));
}

static void formats_are_read_off_a_path(void **state)
{
    hands *h = hands_begin(state, "four_bar.json", 64, 48);
    export_state *e = &h->a->export;
    export_show(h->a);
    assert_true(!e->simulation && !e->gait && e->result[0] == '\0');
    e->replace = true;
    export_take_path(h->a, "/a/b.csv");
    assert_string_equal(e->path, "/a/b.csv");
    assert_false(e->replace);
    int csv = e->format;
    export_take_path(h->a, "/a/b.JSON");
    assert_int_not_equal(e->format, csv);
    assert_string_equal(e->path, "/a/b.json");
    export_take_path(h->a, "/a/b"); // of the format that is chosen
    assert_string_equal(e->path, "/a/b.json");
}

// ---- scripts

// Runs a script on a model, or on none.   @return the result of its last frame, and how many frames it took
static er_result run_script(hands **out, void **state, const char *model, const char *text, int *count)
{
    hands *h = *out = hands_open(state, model, model != NULL ? 300 : 700, model != NULL ? 200 : 600, text);
    er_result r = ER_OK;
    h->a->clock.playing = h->a->view.style.floor = h->a->view.style.mesh = h->a->panels = false;
    for (*count = 0; r == ER_OK && !app_script_ended(h->a) && *count < 400; ++*count)
        r = try_frame(h);
    for (int i = 0; r == ER_OK && i < 3; ++i)
        r = try_frame(h);
    return r;
}

static void words_become_what_hands_do(void **state)
{
    hands *h;
    int count;
    assert_int_equal(run_script(&h, state, "four_bar.json", "wait:5", &count), ER_OK);
    assert_int_equal(count, 5);
    assert_int_equal(run_script(&h, state, "four_bar.json", "key:X key:Shift+C scroll:150,100,2 move:40,50", &count),
                     ER_OK);
    assert_true(h->a->view.style.axes && h->a->view.follow);
    assert_true(h->a->view.pointer[0] == 40 && h->a->view.pointer[1] == 50);
    double distance = h->a->view.camera.distance, yaw = h->a->view.camera.yaw, pitch = h->a->view.camera.pitch;
    assert_int_equal(run_script(&h, state, "four_bar.json", "drag:100,80,130,100 scroll:150,100,1", &count), ER_OK);
    near(h->a->view.camera.yaw, yaw - 0.008 * 30.0, 1e-9);
    near(h->a->view.camera.pitch, pitch + 0.008 * 20.0, 1e-9);
    near(h->a->view.camera.distance, distance / 0.9, 1e-9);
    assert_int_equal(h->a->view.drag, DRAG_NONE);
    assert_int_equal(run_script(&h, state, "four_bar.json", "rdrag:100,80,100,70 mdrag:100,80,110,80", &count), ER_OK);
    near(h->a->view.camera.distance, distance / 0.81 * pow(0.99, 10.0), 1e-9);
    near(h->a->view.camera.yaw, yaw, 0.0);
    assert_int_equal(run_script(&h, state, "four_bar.json",
                                "click:Help click:Keys expect:orbit expect-not:Undone key:Esc wait:2", &count),
                     ER_OK);
    assert_int_equal(h->a->dialog, DIALOG_NONE);
    char words[256];
    snprintf(words, sizeof words, "drop:%s/models/loop_4.json wait:1", getenv("EIGENRIG_SOURCE"));
    assert_int_equal(run_script(&h, state, NULL, words, &count), ER_OK);
    assert_string_equal(app_title(h->a), "loop_4.json - eigenrig");
}

static void what_is_typed_goes_into_a_field(void **state)
{
    enum { LONG = MOST_EVENTS + 300 }; // characters, more than the queue of events holds
    static const char text[] = "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80z"; // one to four bytes each
    hands *h;
    char words[2048];
    int count;
    snprintf(words, sizeof words, "key:Ctrl+O wait:2 dclick:Path key:Ctrl+A type:%s wait:2", text);
    assert_int_equal(run_script(&h, state, NULL, words, &count), ER_OK);
    if (strstr(h->a->files.path, "\xC3\xA4\xE2\x82\xAC") != h->a->files.path) fail_msg("%s", h->a->files.path);
    assert_int_equal(h->a->files.path[strlen(h->a->files.path) - 1], 'z');
    int used = snprintf(words, sizeof words, "key:Ctrl+O wait:2 click:Path key:Ctrl+A type:");
    memset(words + used, 'q', LONG);
    snprintf(words + used + LONG, sizeof words - (size_t)used - LONG, " wait:2");
    assert_int_equal(run_script(&h, state, NULL, words, &count), ER_OK);
    assert_int_equal(strspn(h->a->files.path, "q"), LONG);
}

static void a_widget_that_is_not_there_is_waited_for_and_told(void **state)
{
    hands *h;
    int count;
    assert_int_equal(run_script(&h, state, "four_bar.json", "wait:2 click:Nobody", &count), ER_ERROR_ARGUMENT);
    assert_int_equal(count, 2 + 61);
    assert_non_null(strstr(er_context_error(h->s->context), "\"click:Nobody\""));
    assert_non_null(strstr(er_context_error(h->s->context), "File, Edit, Mode, Play, View, Help"));
    assert_int_equal(run_script(&h, state, "four_bar.json", "expect-not:Hel", &count), ER_ERROR_ARGUMENT);
    assert_non_null(strstr(er_context_error(h->s->context), "\"expect-not:Hel\""));
    assert_int_equal(run_script(&h, state, "four_bar.json", "expect:Hel drag:Nobody,4", &count), ER_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_list_folders_first),
        cmocka_unit_test(folders_are_walked_and_models_opened),
        cmocka_unit_test(mixes_and_poses_are_saved_and_opened),
        cmocka_unit_test(what_is_dropped_is_a_mix_a_pose_or_a_model),
        cmocka_unit_test(another_model_is_read_as_usual),
        cmocka_unit_test(doubts_about_a_model_are_said_and_its_reading_is_shown),
        cmocka_unit_test(pictures_are_written_as_render_draws_them),
        cmocka_unit_test(motions_are_written_where_and_as_the_dialog_says),
        cmocka_unit_test(formats_are_read_off_a_path),
        cmocka_unit_test(words_become_what_hands_do),
        cmocka_unit_test(what_is_typed_goes_into_a_field),
        cmocka_unit_test(a_widget_that_is_not_there_is_waited_for_and_told),
    };
    return cmocka_run_group_tests(tests, stage_begin, hands_end);
}
