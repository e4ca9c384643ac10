// A rig made by hand, without a file: a chain of equal bars on springs, its frequencies beside the closed form.
//
// Bar k turns about z against bar k - 1, and slides nowhere. Each bar is a disc whose centre lies on its axis, so the
// chain is a shaft: with stiffness c, moment J and one end held, f_k = sqrt(c / J) / pi sin((2 k + 1) pi / (4 n + 2)).
#include <eigenrig/eigenrig.h>
#include <stdio.h>

enum { DISCS = 5 };

int main(void)
{
    er_body body[DISCS];
    er_joint joint[DISCS];
    for (int k = 0; k < DISCS; ++k) {
        er_pose place = {{1, 0, 0, 0}, {0, 0, 0.1 * k}};
        body[k] =
            (er_body){.name = "disc", .mass = 1.0, .inertia = {{{0.2, 0, 0}, {0, 0.2, 0}, {0, 0, 0.3}}}, .pose = place};
        joint[k] = (er_joint){.name = "shaft",
                              .parent = k - 1,
                              .child = k,
                              .type = ER_JOINT_REVOLUTE,
                              .frame = place,
                              .stiffness = {12.0}};
    }
    er_context *context = NULL;
    er_model *model = NULL;
    er_modes *modes = NULL;
    er_model_def def = er_default_model_def();
    def.name = "shaft";
    def.body_count = def.joint_count = DISCS;
    def.body = body;
    def.joint = joint;
    if (er_context_create(NULL, &context) != ER_OK) return 1;
    if (er_model_create(context, &def, &model) != ER_OK || er_modal_solve(context, model, NULL, &modes) != ER_OK)
        fprintf(stderr, "%s\n", er_context_error(context));
    for (int k = 0; modes != NULL && k < modes->count; ++k) {
        double exact = sqrt(12.0 / 0.3) / ER_PI * sin((2 * k + 1) * ER_PI / (4 * DISCS + 2));
        printf("%d  %.12f Hz  %.12f\n", k, modes->mode[k].frequency_hz, exact);
    }
    int status = modes == NULL;
    er_modes_destroy(modes);
    er_model_destroy(model);
    er_context_destroy(context);
    return status;
}
