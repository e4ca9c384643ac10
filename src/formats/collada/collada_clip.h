/// @file
/// A clip as matrices over time.
#ifndef ERI_FORMATS_COLLADA_COLLADA_CLIP_H
#define ERI_FORMATS_COLLADA_COLLADA_CLIP_H

#include "formats/collada/collada_plan.h"

/// Writes <library_animations> for a valid clip on the plan's scene; nothing where it moves no node.
/// Errors   ER_ERROR_MEMORY; the rest is kept by `xml`
er_result eri_dae_put_clip(eri_xml *xml, const eri_dae_plan *plan, const er_clip *clip);

#endif
