// `eigenrig cite`: how to cite the program and the method, as BibTeX or as plain text.
#include <string.h>

#include "tools/eigenrig/cli.h"

static void print_bibtex(void)
{
    printf("@software{eigenrig,\n"
           "  author  = {{the eigenrig authors}},\n"
           "  title   = {eigenrig: natural vibration modes of rigged characters},\n"
           "  version = {%s},\n"
           "  year    = {2026}\n"
           "}\n\n",
           er_version());
    printf("@article{kry2009modal,\n"
           "  author  = {Kry, Paul G. and Rev{\\'e}ret, Lionel and Faure, Fran{\\c{c}}ois and Cani, Marie-Paule},\n"
           "  title   = {Modal Locomotion: Animating Virtual Characters with Natural Vibrations},\n"
           "  journal = {Computer Graphics Forum},\n"
           "  volume  = {28},\n"
           "  number  = {2},\n"
           "  pages   = {289--298},\n"
           "  year    = {2009},\n"
           "  doi     = {10.1111/j.1467-8659.2009.01368.x}\n"
           "}\n\n");
    printf("@book{featherstone2008rigid,\n"
           "  author    = {Featherstone, Roy},\n"
           "  title     = {Rigid Body Dynamics Algorithms},\n"
           "  publisher = {Springer},\n"
           "  year      = {2008},\n"
           "  doi       = {10.1007/978-1-4899-7560-7}\n"
           "}\n");
}

static void print_plain(void)
{
    printf(
        "The program:\n"
        "  The eigenrig authors. eigenrig: natural vibration modes of rigged characters. Version %s, 2026.\n\n"
        "The method:\n"
        "  P. G. Kry, L. Revéret, F. Faure, M.-P. Cani. Modal Locomotion: Animating Virtual Characters with Natural\n"
        "  Vibrations. Computer Graphics Forum 28(2), 289-298, 2009. "
        "https://doi.org/10.1111/j.1467-8659.2009.01368.x\n\n"
        "Its recursions:\n"
        "  R. Featherstone. Rigid Body Dynamics Algorithms. Springer, 2008. "
        "https://doi.org/10.1007/978-1-4899-7560-7\n\n"
        "All that eigenrig computes by: docs/references.md. For a bibliography: eigenrig cite bibtex\n",
        er_version());
}

int run_cite(er_context *context, options *o)
{
    (void)context;
    if (o->topic == NULL || strcmp(o->topic, "text") == 0)
        print_plain();
    else if (strcmp(o->topic, "bibtex") == 0)
        print_bibtex();
    else
        return fail_usage("cite", "there is no \"%s\" to cite as, but text and bibtex", o->topic);
    return EXIT_DONE;
}
