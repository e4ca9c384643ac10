// Event scripts as words: their quotes, numbers, labels and files, and that a long one takes memory by its length.
#include <locale.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sanitizer.h"
#include "support/context.h"
#include "support/sample.h"
#include "viewer/gui/gui.h"
#include "viewer/window/events.h"

static void quotes_hold_words_together(void **state)
{
    script *s = NULL;
    assert_int_equal(event_create(context, " click:\"a 'b' c\"  type:'x y'z \n wait:3", &s), ER_OK);
    assert_int_equal(s->count, 3);
    assert_string_equal(s->word[0].text, "a 'b' c");
    assert_string_equal(s->word[1].text, "x yz");
    assert_true(s->word[2].verb == EVENT_WAIT && s->word[2].number[0] == 3.0);
    event_destroy(s);
    assert_refusal(context, event_create(context, "wait:1 type:\"x", &s), ER_ERROR_ARGUMENT, "type:");
}

static void scripts_come_from_files_too(void **state)
{
    script *s = NULL;
    char name[4200];
    static const char words[] = "wait:1\n\twait:2 'type:a b'\n";
    const char *path = sample_write("words", words, sizeof words - 1);
    snprintf(name, sizeof name, "@%s", path);
    assert_int_equal(event_create(context, name, &s), ER_OK);
    assert_true(s->count == 3 && s->word[1].number[0] == 2.0);
    assert_string_equal(s->word[2].text, "a b");
    event_destroy(s);
    FILE *file = fopen(path, "w"); // of more than one buffer
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
}

static void a_word_that_cannot_be_followed_is_named(void **state)
{
    static const char *const words[] = {
        "clik:File",  "clic:1,2",       "clickk:1,2", "click",       "click:",    "key:Nokey", "wait:soon",
        "wait:1,2",   "wait:",          "wait:1e7",   "wait:nan",    "wait:1x",   "drag:File", "drag:,5",
        "scroll:1,2", "scroll:1,2,3,4", "resize:9",   "resize:640x", "rdrag:A,5", "expect"};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        char text[64], named[64];
        script *s = NULL;
        snprintf(text, sizeof text, "wait:1 %s", words[i]);
        snprintf(named, sizeof named, "\"%s\"", words[i]);
        assert_refusal(context, event_create(context, text, &s), ER_ERROR_ARGUMENT, named);
        assert_null(s);
    }
}

// The window's libraries set the user's letters, and in Turkish ones no i becomes an I.
static void keys_are_the_same_in_turkish(void **state)
{
    if (setlocale(LC_CTYPE, "tr_TR.UTF-8") == NULL) {
        print_message("# no Turkish locale is installed\n");
        skip();
    }
    script *s = NULL;
    er_result r = event_create(context, "key:i key:SHIFT+I", &s);
    setlocale(LC_CTYPE, "C");
    assert_int_equal(r, ER_OK);
    assert_int_equal(s->word[0].key, 'I');
    assert_true(s->word[1].key == s->word[0].key && s->word[1].modifiers != 0);
    event_destroy(s);
}

static size_t in_use(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

// A word once took as many bytes as the script had from it on: 1.4 GB for these.
static void a_long_script_takes_memory_by_its_length(void **state)
{
    enum { WORDS = ERI_SANITIZED ? 2000 : 20000, WORD = 7 };
    char *text = malloc(WORDS * WORD + 1);
    assert_non_null(text);
    for (int i = 0; i < WORDS; ++i)
        memcpy(text + WORD * i, "wait:3 ", WORD + 1);
    script *s = NULL;
    size_t before = in_use();
    assert_int_equal(event_create(context, text, &s), ER_OK);
    assert_int_equal(s->count, WORDS);
    assert_true(in_use() - before < WORDS * (sizeof *s->word + 256));
    event_destroy(s);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotes_hold_words_together),
        cmocka_unit_test(scripts_come_from_files_too),
        cmocka_unit_test(words_hold_numbers_labels_and_modifiers),
        cmocka_unit_test(a_word_that_cannot_be_followed_is_named),
        cmocka_unit_test(keys_are_the_same_in_turkish),
        cmocka_unit_test(a_long_script_takes_memory_by_its_length),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
