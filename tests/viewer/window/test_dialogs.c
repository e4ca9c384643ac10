// Files that are opened, saved and written by dialogs, and scripts that do what hands do.
#include "app_driver.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/sample.h"
#include "viewer/window/events.h"
#include "viewer/window/listing.h"

static char *in_folder(const char *name)
{
    static char path[4][4096];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", sample_folder(), name);
    return path[next];
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static bool is_file(const char *name)
{
    return access(in_folder(name), F_OK) == 0;
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
    mkdir(in_folder("list"), 0700);
    mkdir(in_folder("list/Z folder"), 0700);
    mkdir(in_folder("list/a folder"), 0700);
    write_file("list/b.glb", "");
    write_file("list/c.txt", "");
    write_file("list/A.json", "");
    write_file("list/.hidden", "");
    listing *l = listing_create(in_folder("list"));
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
    hands h;
    hands_begin(&h, need_stage(state), NULL, NARROW, 700);
    app *a = h.a;
    files_go_to(a, in_folder("list"));
    key(&h, "Ctrl+O");
    frames(&h, 2);
    assert_true(is_there(&h, "    b.glb") && !is_there(&h, "    c.txt")); // of the kinds that can be opened
    click(&h, "Files of every kind");
    assert_true(is_there(&h, "    c.txt"));
    click(&h, "    c.txt");
    assert_string_equal(a->files.path, "c.txt");
    click(&h, "\xE2\x96\xB8  a folder");
    assert_non_null(strstr(a->files.folder, "/list/a folder"));
    click(&h, "up");
    assert_string_equal(strrchr(a->files.folder, '/'), "/list");
    files_go_to(a, "/no/where");
    assert_true(is_said(&h, "/no/where: the folder cannot be read"));
    assert_string_equal(strrchr(a->files.folder, '/'), "/list");
    click(&h, "Cancel");
    assert_int_equal(a->dialog, DIALOG_NONE);
    files_show(a, DIALOG_OPEN);
    assert_string_equal(a->files.path, "");
    frames(&h, 2);
    click(&h, "Open"); // nothing
    assert_int_equal(a->dialog, DIALOG_OPEN);
    char path[4096];
    snprintf(path, sizeof path, "%s/models/four_bar.json", getenv("EIGENRIG_SOURCE"));
    replace_text(&h, "Path", path);
    key(&h, "Enter");
    frames(&h, 3);
    assert_true(a->dialog == DIALOG_NONE && session_is_open(a->session));
    assert_string_equal(app_title(a), "four_bar.json - eigenrig");
    hands_end(&h);
}

static void mixes_and_poses_are_saved_and_opened(void **state)
{
    hands h;
    hands_begin(&h, need_stage(state), "gnome.glb", NARROW, 700);
    app *a = h.a;
    files_show(a, DIALOG_DESCRIPTION_SAVE);
    assert_string_equal(a->files.path, "gnome.rig.lua");
    assert_string_equal(strrchr(a->files.folder, '/'), "/models");
    files_go_to(a, sample_folder());
    frames(&h, 2);
    click(&h, "Save");
    assert_true(is_file("gnome.rig.lua"));
    int mode = session_get(a->session)->component[0].mode;
    session_setup named = *session_get(a->session);
    snprintf(named.mix_name, sizeof named.mix_name, "a/b");
    change_setup(a, &named, true);
    key(&h, "Ctrl+S");
    frames(&h, 2);
    assert_string_equal(a->files.path, "a-b.json");
    click(&h, "Save");
    assert_true(a->dialog == DIALOG_NONE && is_file("a-b.json") && is_said(&h, "a-b.json: written"));
    key(&h, "Ctrl+S");
    frames(&h, 2);
    click(&h, "Save"); // there is one
    assert_true(a->files.replace && a->dialog == DIALOG_MIX_SAVE);
    assert_non_null(strstr(gui_widgets(a->gui), "There is a file of this name already."));
    click(&h, "Replace");
    assert_int_equal(a->dialog, DIALOG_NONE);
    palette_play(a, mode + 3);
    files_show(a, DIALOG_MIX_OPEN);
    snprintf(a->files.path, sizeof a->files.path, "a-b.json");
    frames(&h, 2);
    click(&h, "Open");
    assert_int_equal(session_get(a->session)->component[0].mode, mode);
    files_show(a, DIALOG_POSE_SAVE);
    frames(&h, 2);
    click(&h, "Save");
    assert_true(is_file("pose.json"));
    assert_int_equal(session_rotate(a->session, 3, er_v3(0, 0, 0.3), true), ER_OK);
    er_pose turned = session_model(a->session)->body[5].pose;
    files_show(a, DIALOG_POSE_OPEN);
    snprintf(a->files.path, sizeof a->files.path, "pose.json");
    frames(&h, 2);
    click(&h, "Open");
    assert_memory_not_equal(&turned, &session_model(a->session)->body[5].pose, sizeof turned);
    named.mix_name[0] = '\0';
    change_setup(a, &named, true);
    files_show(a, DIALOG_MIX_SAVE);
    assert_string_equal(a->files.path, "mix.json");
    hands_end(&h);
}

static void what_is_dropped_is_a_mix_a_pose_or_a_model(void **state)
{
    hands h;
    hands_begin(&h, need_stage(state), "gnome.glb", 64, 48);
    app *a = h.a;
    int mode = session_get(a->session)->component[0].mode;
    palette_play(a, mode + 3);
    a->dialog = DIALOG_KEYS;
    app_drop(a, in_folder("a-b.json")); // as the test before saved it
    assert_int_equal(a->dialog, DIALOG_NONE);
    assert_int_equal(session_get(a->session)->component[0].mode, mode);
    assert_int_equal(session_rotate(a->session, 3, er_v3(0, 0, 0.3), true), ER_OK);
    er_pose turned = session_model(a->session)->body[5].pose;
    app_drop(a, in_folder("pose.json"));
    assert_memory_not_equal(&turned, &session_model(a->session)->body[5].pose, sizeof turned);
    write_file("mix.json", "no mix");
    app_drop(a, in_folder("mix.json"));
    assert_true(a->messages.list[a->messages.count - 1].kind == MESSAGE_ERROR);
    assert_string_equal(app_title(a), "gnome.glb - eigenrig");
    char path[4096];
    snprintf(path, sizeof path, "%s/models/loop_4.json", getenv("EIGENRIG_SOURCE"));
    app_drop(a, path);
    assert_string_equal(app_title(a), "loop_4.json - eigenrig");
    frames(&h, 2);
    app_drop(a, "/no/where.glb");
    assert_string_equal(app_title(a), "loop_4.json - eigenrig");
    hands_end(&h);
}

// What the first model was asked to be read by is not asked of the next.
static void another_model_is_read_as_usual(void **state)
{
    hands h;
    hands_begin(&h, need_stage(state), "gnome.glb", 64, 48);
    app *a = h.a;
    h.def.asked.rig.pose = ER_POSE_CLIP;
    h.def.asked.rig.pose_clip = "run";
    h.def.asked.rig.skeleton = "no such node";
    h.def.asked.rig.root = ER_ROOT_FIXED;
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
    assert_int_equal(a->palette.mode, er_modes_index(modes, &modes->mode[elastic])); // which plays
    assert_int_equal(session_get(a->session)->component[0].mode, a->palette.mode);
    assert_true(a->palette.scroll);
    assert_int_equal(a->messages.count - before, session_note_count(a->session));
    for (int i = 0; i < session_note_count(a->session); ++i)
        assert_int_equal(a->messages.list[before + i].kind, MESSAGE_KEPT);
    hands_end(&h);
}

// ---- export

static void motions_are_written_where_and_as_the_dialog_says(void **state)
{
    hands h;
    hands_begin(&h, need_stage(state), "gnome.glb", 640, 760);
    app *a = h.a;
    export_state *e = &a->export;
    key(&h, "Ctrl+E");
    frames(&h, 2);
    assert_int_equal(a->dialog, DIALOG_EXPORT);
    assert_string_equal(strrchr(e->path, '/'), "/gnome_modes.glb"); // in this folder
    char here[PATH_SIZE];
    assert_non_null(getcwd(here, sizeof here));
    assert_memory_equal(e->path, here, strlen(here));
    choose(&h, "Format", "the rig as tuned, .json");
    assert_string_equal(strrchr(e->path, '/'), "/gnome_modes.json");
    assert_false(is_there(&h, "Clip name"));
    export_take_path(a, in_folder("out.bvh"));
    assert_true(e->own_path && strcmp(e->path, in_folder("out.bvh")) == 0);
    frames(&h, 2);
    assert_true(is_there(&h, "Clip name") && !is_there(&h, "Contents")); // BVH holds one
    drag_widget(&h, "Duration", 1000.0);
    near(e->def.duration, 60.0, 1e-9);
    drag_widget(&h, "Duration", -1000.0);
    near(e->def.duration, 0.0, 0.0);
    drag_widget(&h, "Frames a second", -1000.0);
    near(e->def.fps, 12.0, 1e-9);
    drag_widget(&h, "Frames a second", 1000.0);
    near(e->def.fps, 240.0, 1e-9);
    drag_widget(&h, "Tolerance", 1000.0);
    near(e->def.tolerance, 5.0, 1e-9);
    click(&h, "Splines, in glTF");
    assert_true(e->def.splines);
    drag_widget(&h, "Tolerance", -1000.0);
    click(&h, "Splines, in glTF"); // of a key a frame there are none
    assert_true(e->def.splines);
    drag_widget(&h, "Attack", 1000.0);
    near(e->def.attack, 10.0, 1e-9);
    drag_widget(&h, "Attack", -1000.0);
    drag_widget(&h, "Decay", 1000.0);
    near(e->def.decay, 10.0, 1e-9);
    drag_widget(&h, "Decay", -1000.0);
    e->def.fps = 12.0;
    click(&h, "Write");
    assert_true(is_file("out.bvh") && !e->failed && strstr(e->result, "written") != NULL);
    click(&h, "Write");
    assert_true(e->replace);
    click(&h, "Replace");
    assert_true(!e->replace && !e->failed);
    replace_text(&h, "Path", "/no/where/out.bvh");
    key(&h, "Enter");
    frames(&h, 2);
    assert_true(e->failed && is_said(&h, "/no/where"));
    choose(&h, "Format", "glTF binary, .glb");
    assert_string_equal(e->path, "/no/where/out.glb");
    choose(&h, "Contents", "every mode, a clip each");
    assert_true(e->def.palette);
    drag_widget(&h, "Amplitude", 1000.0);
    near(e->def.degrees, 90.0, 1e-9);
    drag_widget(&h, "Amplitude", -1000.0);
    near(e->def.degrees, 1.0, 1e-9);
    choose(&h, "Contents", "the mix");
    assert_false(e->def.palette);
    click(&h, "Choose a folder ...");
    assert_int_equal(a->dialog, DIALOG_EXPORT_TO);
    assert_string_equal(a->files.path, "out.glb");
    files_go_to(a, sample_folder());
    frames(&h, 2);
    click(&h, "Choose");
    assert_int_equal(a->dialog, DIALOG_EXPORT);
    assert_string_equal(e->path, in_folder("out.glb"));
    click(&h, "Choose a folder ...");
    click(&h, "Cancel");
    assert_int_equal(a->dialog, DIALOG_EXPORT);
    click(&h, "Close");
    assert_int_equal(a->dialog, DIALOG_NONE);
    char *longer = malloc(PATH_SIZE + 1);
    assert_non_null(longer);
    memset(longer, 'x', PATH_SIZE);
    longer[PATH_SIZE] = '\0';
    export_take_path(a, longer);
    assert_true(is_said(&h, "that path is too long"));
    free(longer);
    hands_end(&h);
}

static void formats_are_read_off_a_path(void **state)
{
    hands h;
    hands_begin(&h, need_stage(state), "four_bar.json", 64, 48);
    export_state *e = &h.a->export;
    export_show(h.a);
    assert_true(!e->simulation && !e->gait && e->result[0] == '\0');
    e->replace = true;
    export_take_path(h.a, "/a/b.csv");
    assert_string_equal(e->path, "/a/b.csv");
    assert_false(e->replace);
    int csv = e->format;
    export_take_path(h.a, "/a/b.JSON");
    assert_int_not_equal(e->format, csv);
    assert_string_equal(e->path, "/a/b.json");
    export_take_path(h.a, "/a/b"); // of the format that is chosen
    assert_string_equal(e->path, "/a/b.json");
    hands_end(&h);
}

// ---- scripts

// Runs a script on a model in a window; how many frames it takes.   @return the result
static er_result run_script(hands *h, void **state, const char *model, const char *text, int *count)
{
    stage *s = need_stage(state);
    *h = (hands){
        .s = s, .def = viewer_default_def(), .width = model != NULL ? 300 : 700, .height = model != NULL ? 200 : 600};
    snprintf(h->path, sizeof h->path, "%s/models/%s", getenv("EIGENRIG_SOURCE"), model != NULL ? model : "");
    h->def.model = model != NULL ? h->path : NULL;
    h->def.script = text;
    assert_int_equal(draw_target_resize(s->target, 8, 8), ER_OK);
    er_result r = app_create(s->context, &h->def, 1.0, &(app_host){0}, &h->a);
    if (r != ER_OK) fail_msg("%s", er_context_error(s->context));
    h->a->clock.playing = h->a->view.style.floor = h->a->view.style.mesh = h->a->panels = false;
    for (*count = 0; r == ER_OK && !app_script_ended(h->a) && *count < 400; ++*count) {
        draw_target_bind(s->target);
        r = app_frame(h->a, h->width, h->height, 1.0, 1.0 / 60.0);
    }
    for (int i = 0; r == ER_OK && i < 3; ++i) {
        draw_target_bind(s->target);
        r = app_frame(h->a, h->width, h->height, 1.0, 1.0 / 60.0);
    }
    return r;
}

static void words_become_what_hands_do(void **state)
{
    hands h;
    int count;
    assert_int_equal(run_script(&h, state, "four_bar.json", "wait:5", &count), ER_OK);
    assert_int_equal(count, 5);
    hands_end(&h);
    assert_int_equal(run_script(&h, state, "four_bar.json", "key:X key:Shift+C scroll:150,100,2 move:40,50", &count),
                     ER_OK);
    assert_true(h.a->view.style.axes && h.a->view.follow);
    assert_true(h.a->view.pointer[0] == 40 && h.a->view.pointer[1] == 50);
    double distance = h.a->view.camera.distance, yaw = h.a->view.camera.yaw, pitch = h.a->view.camera.pitch;
    hands_end(&h);
    assert_int_equal(run_script(&h, state, "four_bar.json", "drag:100,80,130,100 scroll:150,100,1", &count), ER_OK);
    near(h.a->view.camera.yaw, yaw - 0.008 * 30.0, 1e-9);
    near(h.a->view.camera.pitch, pitch + 0.008 * 20.0, 1e-9);
    near(h.a->view.camera.distance, distance / 0.9, 1e-9);
    assert_int_equal(h.a->view.drag, DRAG_NONE);
    hands_end(&h);
    assert_int_equal(run_script(&h, state, "four_bar.json", "rdrag:100,80,100,70 mdrag:100,80,110,80", &count), ER_OK);
    near(h.a->view.camera.distance, distance / 0.81 * pow(0.99, 10.0), 1e-9);
    near(h.a->view.camera.yaw, yaw, 0.0);
    hands_end(&h);
    assert_int_equal(run_script(&h, state, "four_bar.json",
                                "click:Help click:Keys expect:orbit expect-not:Undone key:Esc wait:2", &count),
                     ER_OK);
    assert_int_equal(h.a->dialog, DIALOG_NONE);
    hands_end(&h);
    char words[256];
    snprintf(words, sizeof words, "drop:%s/models/loop_4.json wait:1", getenv("EIGENRIG_SOURCE"));
    assert_int_equal(run_script(&h, state, NULL, words, &count), ER_OK);
    assert_string_equal(app_title(h.a), "loop_4.json - eigenrig");
    hands_end(&h);
}

static void what_is_typed_goes_into_a_field(void **state)
{
    static const char text[] = "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80z"; // one to four bytes each
    hands h;
    char words[2048];
    int count;
    snprintf(words, sizeof words, "key:Ctrl+O wait:2 dclick:Path key:Ctrl+A type:%s wait:2", text);
    assert_int_equal(run_script(&h, state, NULL, words, &count), ER_OK);
    if (strstr(h.a->files.path, "\xC3\xA4\xE2\x82\xAC") != h.a->files.path) fail_msg("%s", h.a->files.path);
    assert_int_equal(h.a->files.path[strlen(h.a->files.path) - 1], 'z');
    hands_end(&h);
    int used =
        snprintf(words, sizeof words, "key:Ctrl+O wait:2 click:Path key:Ctrl+A type:"); // more than a frame takes
    memset(words + used, 'q', 700);
    snprintf(words + used + 700, sizeof words - (size_t)used - 700, " wait:2");
    assert_int_equal(run_script(&h, state, NULL, words, &count), ER_OK);
    assert_int_equal(strspn(h.a->files.path, "q"), 700);
    hands_end(&h);
}

static void a_widget_that_is_not_there_is_waited_for_and_told(void **state)
{
    hands h;
    int count;
    assert_int_equal(run_script(&h, state, "four_bar.json", "wait:2 click:Nobody", &count), ER_ERROR_ARGUMENT);
    assert_int_equal(count, 2 + 61);
    const char *said = er_context_error(h.s->context);
    assert_non_null(strstr(said, "script word 2, \"click:Nobody\": no widget \"Nobody\" is seen; there are: File, "
                                 "Edit, Mode, Play, View, Help"));
    hands_end(&h);
    assert_int_equal(run_script(&h, state, "four_bar.json", "expect-not:Hel", &count), ER_ERROR_ARGUMENT);
    assert_non_null(strstr(er_context_error(h.s->context), ": a widget \"Hel\" is seen"));
    hands_end(&h);
    assert_int_equal(run_script(&h, state, "four_bar.json", "expect:Hel drag:Nobody,4", &count), ER_ERROR_ARGUMENT);
    hands_end(&h);
}

static void scripts_come_from_files_too(void **state)
{
    script *s = NULL;
    er_context *context = need_stage(state)->context;
    char name[4200];
    write_file("words", "wait:1\n\twait:2 'type:a b'\n");
    snprintf(name, sizeof name, "@%s", in_folder("words"));
    assert_int_equal(event_create(context, name, &s), ER_OK);
    assert_true(s->count == 3 && s->word[1].number[0] == 2.0);
    assert_string_equal(s->word[2].text, "a b");
    event_destroy(s);
    FILE *file = fopen(in_folder("words"), "w"); // of more than one buffer
    assert_non_null(file);
    for (int i = 0; i < 3000; ++i)
        fprintf(file, "wait:%d ", i);
    fclose(file);
    assert_int_equal(event_create(context, name, &s), ER_OK);
    assert_int_equal(s->count, 3000);
    for (int i = 0; i < 3000; ++i)
        assert_true(s->word[i].number[0] == i && s->word[i].number_count == 1);
    event_destroy(s);
    assert_int_equal(event_create(context, "@/no/where", &s), ER_ERROR_FILE);
    assert_null(s);
    assert_int_equal(event_create(context, "@/", &s), ER_ERROR_FILE);
}

static void words_hold_numbers_labels_and_modifiers(void **state)
{
    script *s = NULL;
    er_context *context = need_stage(state)->context;
    assert_int_equal(
        event_create(context,
                     "Ctrl+Shift+click:A rclick:1,2 dclick:B drag:1,2,3,4 drag:a,b,-5 rdrag:1,2,3,4 mdrag:4,3,2,1 "
                     "Alt+key:Ctrl+a scroll:1,2,-3 resize:640x480 shot:a.png click:1e6,0 expect:1,2 click:0x10,4",
                     &s),
        ER_OK);
    assert_int_equal(s->count, 14);
    const event_word *w = s->word;
    assert_true(w[0].verb == EVENT_CLICK && w[0].button == 0 && w[0].modifiers == (GUI_CONTROL | GUI_SHIFT));
    assert_string_equal(w[0].text, "A");
    assert_true(w[1].button == 1 && w[1].number_count == 2 && w[1].number[0] == 1.0 && w[1].number[1] == 2.0);
    assert_string_equal(w[1].text, "");
    assert_true(w[2].verb == EVENT_DOUBLE_CLICK && w[3].number_count == 4 && w[3].number[3] == 4.0);
    assert_true(w[4].number_count == 1 && w[4].number[0] == -5.0);
    assert_string_equal(w[4].text, "a,b");
    assert_true(w[5].button == 1 && w[6].button == 2 && w[6].number[0] == 4.0);
    assert_true(w[7].key == 'A' && w[7].modifiers == (GUI_ALT | GUI_CONTROL));
    assert_true(w[8].number[2] == -3.0 && w[9].number[0] == 640.0 && w[9].number[1] == 480.0);
    assert_true(w[10].verb == EVENT_SHOT && w[11].number[0] == 1e6);
    assert_true(w[12].verb == EVENT_EXPECT && w[12].number_count == 0);
    assert_string_equal(w[12].text, "1,2");
    assert_string_equal(w[13].text, "0x10,4"); // no hexadecimal
    assert_string_equal(w[13].source, "click:0x10,4");
    event_destroy(s);
    static const char *const wrong[] = {"wait:1,2",       "wait:",       "wait:1e7", "wait:nan",  "scroll:1,2",
                                        "scroll:1,2,3,4", "resize:640x", "drag:,5",  "rdrag:A,5", "click",
                                        "clic:1,2",       "clickk:1,2",  "wait:1x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        if (event_create(context, wrong[i], &s) != ER_ERROR_ARGUMENT) fail_msg("%s is taken", wrong[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_list_folders_first),
        cmocka_unit_test(folders_are_walked_and_models_opened),
        cmocka_unit_test(mixes_and_poses_are_saved_and_opened),
        cmocka_unit_test(what_is_dropped_is_a_mix_a_pose_or_a_model),
        cmocka_unit_test(another_model_is_read_as_usual),
        cmocka_unit_test(motions_are_written_where_and_as_the_dialog_says),
        cmocka_unit_test(formats_are_read_off_a_path),
        cmocka_unit_test(words_become_what_hands_do),
        cmocka_unit_test(what_is_typed_goes_into_a_field),
        cmocka_unit_test(a_widget_that_is_not_there_is_waited_for_and_told),
        cmocka_unit_test(scripts_come_from_files_too),
        cmocka_unit_test(words_hold_numbers_labels_and_modifiers),
    };
    int failed = cmocka_run_group_tests(tests, stage_begin, stage_end);
    sample_remove_folder();
    return failed;
}
