/// @file
/// A clip as matrices over time.
#ifndef ER_FORMATS_COLLADA_CLIP_H
#define ER_FORMATS_COLLADA_CLIP_H

#include "formats/collada/plan.h"

/// Writes <library_animations> for a valid clip on the plan's scene; nothing where it moves no node.
/// Errors   ER_ERROR_MEMORY; the rest is kept by `xml`
er_result er_dae_put_clip(er_xml *xml, const er_dae_plan *plan, const er_clip *clip);

#endif
