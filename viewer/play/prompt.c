// Text over a scene: its state, the last messages, and a prompt for Lua.
#include <stdio.h>
#include <string.h>

#include "base/platform.h"
#include "viewer/play/player.h"

static const double shown_for = 8.0; // s

void player_print(player *p, line_kind kind, const char *text)
{
    if (p->line_count == PLAYER_LINES) memmove(p->line, p->line + 1, (size_t)--p->line_count * sizeof *p->line);
    player_line *line = &p->line[p->line_count++];
    *line = (player_line){.kind = kind};
    snprintf(line->text, sizeof line->text, "%s", text);
}

void player_focus_prompt(player *p)
{
    p->takes_focus = true;
    p->wait_frames = 2;
}

// Runs the typed line as Lua. The answer or the error is the next line.
static void run_line(player *p)
{
    char answer[PLAYER_LINE] = "";
    player_focus_prompt(p); // Enter has taken it away, even on an empty line
    if (p->typed[0] == '\0') return;
    player_print(p, LINE_TYPED, p->typed);
    bool went = scene_player_run(p->play, p->typed, answer, sizeof answer);
    if (answer[0] != '\0') player_print(p, went ? LINE_ANSWER : LINE_WRONG, answer);
    p->typed[0] = '\0';
}

void player_read_terminal(player *p)
{
    char *line = p->input, answer[16384] = "", piece;
    while (p->def->prompt && !p->input_ended && eri_platform_wait_readable(ERI_INPUT, 0.0) > 0) {
        ptrdiff_t got = eri_platform_read(ERI_INPUT, &piece, 1);
        p->input_ended = got <= 0;
        if (got > 0 && piece != '\n') {
            if (p->input_length + 1 < PLAYER_LINE) line[p->input_length++] = piece;
            continue;
        }
        line[p->input_length] = '\0';
        p->input_length = 0;
        if (line[0] == '\0') continue;
        bool went = scene_player_run(p->play, line, answer, sizeof answer);
        fprintf(went ? stdout : stderr, "%s%s", answer, answer[0] != '\0' ? "\n" : "");
        fflush(stdout);
    }
}

static const float *colour_of(const player_line *line)
{
    static const float colour[3][3] = {{0.62f, 0.68f, 0.76f}, {0.86f, 0.90f, 0.94f}, {0.96f, 0.48f, 0.42f}};
    return colour[line->kind];
}

static void prompt(player *p)
{
    double width = p->width / p->scale, height = fmin(220.0, 0.45 * p->height / p->scale);
    gui_panel_begin(p->gui, "##prompt", 0.0, p->height / p->scale - height, width, height);
    if (gui_child_begin(p->gui, "##said", 0.0, height - 50.0)) {
        for (int i = 0; i < p->line_count; ++i)
            gui_text_coloured(p->gui, colour_of(&p->line[i]), p->line[i].text);
        gui_scroll_here(p->gui);
    }
    gui_child_end(p->gui);
    if (p->takes_focus) gui_focus_here(p->gui);
    p->takes_focus = false;
    if (gui_input_text(p->gui, "Lua##prompt", p->typed, sizeof p->typed)) run_line(p);
    gui_panel_end(p->gui);
}

static void write_at(const player *p, double x, double y, const float rgb[3], const char *text)
{
    const float shade[4] = {0.0f, 0.0f, 0.0f, 0.55f}, rgba[4] = {rgb[0], rgb[1], rgb[2], 1.0f};
    gui_draw_text(p->gui, x + 1.0, y + 1.0, 14.0, shade, text);
    gui_draw_text(p->gui, x, y, 14.0, rgba, text);
}

static const char *state_of(const player *p)
{
    return p->ended ? "ended" : p->paused ? "paused" : "";
}

static void write_state(const player *p)
{
    static const float pale[3] = {0.95f, 0.96f, 0.98f};
    char text[160], speed[32] = "";
    if (p->speed != 1.0) snprintf(speed, sizeof speed, "   %g x", p->speed);
    const char *pace = engine_get_view(p->scene)->pace == ENGINE_BY_PICTURE ? "   a step a picture" : "";
    snprintf(text, sizeof text, "%.2f s   %.0f fps%s%s   %s", engine_time(p->scene), 1.0 / fmax(p->frame_seconds, 1e-3),
             speed, pace, state_of(p));
    write_at(p, 12.0, 10.0, pale, text);
}

// The last lines, for some seconds.
static void write_lines(player *p, double seconds)
{
    double y = 32.0;
    for (int i = 0; i < p->line_count; ++i) {
        player_line *line = &p->line[i];
        line->age += seconds;
        if (p->prompts || line->age > shown_for || i + 6 < p->line_count) continue;
        write_at(p, 12.0, y, colour_of(line), line->text);
        y += 19.0;
    }
}

void player_write(player *p, double seconds)
{
    write_state(p);
    write_lines(p, seconds);
    if (p->prompts) prompt(p);
}
