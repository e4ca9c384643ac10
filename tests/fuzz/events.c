// Scripts of the viewer's events.
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "viewer/window/events.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    er_context *context = fuzz_context();
    char *text = strndup((const char *)data, size);
    script *events = NULL;
    if (text[0] != '@') event_create(context, text, &events); // which names a file of the user's
    event_destroy(events);
    free(text);
    er_context_destroy(context);
    return 0;
}
