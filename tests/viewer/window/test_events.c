// Event scripts as words: how they are quoted, and that a long one takes what its length makes it take.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/context.h"
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
    assert_int_equal(event_create(context, "wait:1 type:\"x", &s), ER_ERROR_ARGUMENT);
    assert_non_null(strstr(er_context_error(context), "closing quote"));
}

static void a_word_that_cannot_be_followed_is_named(void **state)
{
    static const char *const words[] = {"clik:File", "key:Nokey", "wait:soon", "scroll:1,2",
                                        "drag:File", "expect",    "resize:9",  "click:"};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        char text[64], named[64];
        script *s = NULL;
        snprintf(text, sizeof text, "wait:1 %s", words[i]);
        snprintf(named, sizeof named, "\"%s\"", words[i]);
        assert_int_equal(event_create(context, text, &s), ER_ERROR_ARGUMENT);
        assert_null(s);
        assert_non_null(strstr(er_context_error(context), named));
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
        cmocka_unit_test(a_word_that_cannot_be_followed_is_named),
        cmocka_unit_test(keys_are_the_same_in_turkish),
        cmocka_unit_test(a_long_script_takes_memory_by_its_length),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
