// Arrays as Collada has them: a source, its numbers, and how they are read.
#include "formats/collada/collada_source.h"

#include <string.h>

void eri_dae_open_source(eri_xml *xml, const char *id, const char *array, size_t size)
{
    eri_xml_open(xml, "source");
    eri_xml_attribute(xml, "id", id);
    eri_xml_open(xml, array);
    eri_xml_attribute_f(xml, "id", "%s-array", id);
    eri_xml_attribute_f(xml, "count", "%zu", size);
}

void eri_dae_close_source(eri_xml *xml, const char *id, int count, const char *const *names, const char *type)
{
    int stride = strcmp(type, "float4x4") == 0 ? 16 : 0;
    for (int i = 0; stride < 16 && names[i] != NULL; ++i)
        ++stride;
    eri_xml_close(xml); // the array
    eri_xml_open(xml, "technique_common");
    eri_xml_open(xml, "accessor");
    eri_xml_attribute_f(xml, "source", "#%s-array", id);
    eri_xml_attribute_f(xml, "count", "%d", count);
    eri_xml_attribute_f(xml, "stride", "%d", stride);
    for (; *names != NULL; ++names) {
        eri_xml_open(xml, "param");
        eri_xml_attribute(xml, "name", *names);
        eri_xml_attribute(xml, "type", type);
        eri_xml_close(xml);
    }
    eri_xml_close(xml); // accessor
    eri_xml_close(xml); // technique_common
    eri_xml_close(xml); // source
}

void eri_dae_put_input(eri_xml *xml, const char *semantic, const char *source, int offset, int set)
{
    eri_xml_open(xml, "input");
    eri_xml_attribute(xml, "semantic", semantic);
    eri_xml_attribute_f(xml, "source", "#%s", source);
    if (offset >= 0) eri_xml_attribute_f(xml, "offset", "%d", offset);
    if (set >= 0) eri_xml_attribute_f(xml, "set", "%d", set);
    eri_xml_close(xml);
}
