// Arrays as Collada has them: a source, its numbers, and how they are read.
#include "formats/collada/source.h"

#include <string.h>

void er_dae_open_source(er_xml *xml, const char *id, const char *array, size_t size)
{
    er_xml_open(xml, "source");
    er_xml_attribute(xml, "id", id);
    er_xml_open(xml, array);
    er_xml_attribute_f(xml, "id", "%s-array", id);
    er_xml_attribute_f(xml, "count", "%zu", size);
}

void er_dae_close_source(er_xml *xml, const char *id, int count, const char *const *names, const char *type)
{
    int stride = strcmp(type, "float4x4") == 0 ? 16 : 0;
    for (int i = 0; stride < 16 && names[i] != NULL; ++i)
        ++stride;
    er_xml_close(xml); // the array
    er_xml_open(xml, "technique_common");
    er_xml_open(xml, "accessor");
    er_xml_attribute_f(xml, "source", "#%s-array", id);
    er_xml_attribute_f(xml, "count", "%d", count);
    er_xml_attribute_f(xml, "stride", "%d", stride);
    for (; *names != NULL; ++names) {
        er_xml_open(xml, "param");
        er_xml_attribute(xml, "name", *names);
        er_xml_attribute(xml, "type", type);
        er_xml_close(xml);
    }
    er_xml_close(xml); // accessor
    er_xml_close(xml); // technique_common
    er_xml_close(xml); // source
}

void er_dae_put_input(er_xml *xml, const char *semantic, const char *source, int offset, int set)
{
    er_xml_open(xml, "input");
    er_xml_attribute(xml, "semantic", semantic);
    er_xml_attribute_f(xml, "source", "#%s", source);
    if (offset >= 0) er_xml_attribute_f(xml, "offset", "%d", offset);
    if (set >= 0) er_xml_attribute_f(xml, "set", "%d", set);
    er_xml_close(xml);
}
