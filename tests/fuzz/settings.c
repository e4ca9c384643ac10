// Values of options that are said as text: the first byte chooses the setting.
#include <stdlib.h>
#include <string.h>

#include "app/settings/rig_settings.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const setting *s = size > 0 ? rig_setting(1u << data[0] % 13) : NULL;
    if (s == NULL || s->kind == SETTING_OTHER) return 0;
    er_rig_def rig = er_default_rig_def(), kept = rig;
    char *text = strndup((const char *)data + 1, size - 1);
    if (!setting_read(s, text, &rig))
        fuzz_promise(memcmp(&rig, &kept, sizeof rig) == 0, NULL, "what is refused changes nothing");
    else if (s->kind == SETTING_NUMBER)
        fuzz_promise(setting_put(s, *(double *)setting_field(s, &rig) / (s->unit != 0.0 ? s->unit : 1.0), &kept), NULL,
                     "a number that is taken is in its range");
    free(text);
    return 0;
}
