// `eigenrig run`: a Lua script, or the prompt.
#include <string.h>

#include "tools/eigenrig/cli.h"

static void warn(void *user, const char *text)
{
    print_each_warning(user, text);
}

int run_script(er_context *context, options *o)
{
    script_def def = {.path = o->script < o->word_count ? o->words[o->script] : NULL,
                      .words = o->words,
                      .word_count = o->word_count,
                      .script = o->script,
                      .prompt = o->prompt,
                      .warn = warn,
                      .user = o,
                      .verbose = o->verbose,
                      .open = luaopen_eigenrig};
    if (def.path != NULL && project_find_format(def.path) != NULL && strcmp(def.path, "-") != 0)
        return fail_usage("run", "\"%s\" is no script; did you mean eigenrig info %s", def.path, def.path);
    er_modal_set_threads(o->threads);
    er_result r = script_run(context, &def);
    return r == ER_OK ? EXIT_DONE : fail_work(context, r, NULL);
}
