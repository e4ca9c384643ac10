// The page: its lists, sliders and keys.

const $ = (id) => document.getElementById(id);

function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
}

const readModel = () => {
    const text = atob($("model").textContent.split(",")[1]);
    return readGlb(Uint8Array.from(text, (letter) => letter.charCodeAt(0)));
};

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const perSecond = (hz) => `${hz < 10 ? hz.toPrecision(2) : Math.round(hz)} a second`;
const calm = 1.5; // Hz: faster modes are first shown slower

class Page {
    constructor(glb) {
        this.glb = glb;
        this.extras = glb.json.extras;
        this.nodes = readNodes(glb);
        this.tree = readTree(glb, this.nodes.parent);
        this.modes = readModes(glb, this.tree);
        this.clips = readClips(glb);
        this.mix = [];
        this.clip = null;
        this.time = 0;
        this.rate = 1;
        this.playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
        this.stage = new Stage($("view"), glb, this.restWorlds());
        this.camera = new Camera(this.stage.place.half);
    }

    restWorlds() {
        return this.tree ? this.tree.world : worldsOfClip(this.nodes, null, 0);
    }

    worlds(time) {
        if (this.clip)
            return worldsOfClip(this.nodes, this.clip, this.clip.duration > 0 ? time % this.clip.duration : 0);
        return this.mix.length > 0
            ? worldsOfModes(this.tree, displacement(this.tree, this.mix, time))
            : this.restWorlds();
    }

    // --- for scripts and tests

    // Quaternion and position, m, of every body.
    bodies(mix, time) {
        return poseBodies(this.tree, displacement(this.tree, mix, time));
    }

    // Name and positions, in the GLB's world, of every node of a clip.
    nodeTracks(name, times) {
        const clip = this.clips.find((clip) => clip.name === name),
            top = this.glb.json.nodes.at(-1);
        const above =
            top.name === "eigenrig units"
                ? compose(top.translation ?? [0, 0, 0], top.rotation ?? [0, 0, 0, 1], top.scale ?? [1, 1, 1])
                : identity();
        const worlds = times.map((time) => worldsOfClip(this.nodes, clip, time).map((world) => multiply(above, world)));
        return this.nodes.rest.map((_, n) => [
            this.glb.json.nodes[n].name ?? "",
            worlds.map((world) => Array.from(world[n].slice(12, 15))),
        ]);
    }

    record(mix, name) {
        return recordMix(this.glb, this.nodes, this.tree, mix, name);
    }

    // --- what plays

    playMode(mode) {
        this.clip = null;
        this.mix = [startPart(mode)];
        this.begin();
    }

    addMode(mode) {
        this.clip = null;
        const without = this.mix.filter((part) => part.mode !== mode);
        this.mix = without.length < this.mix.length ? without : [...this.mix, startPart(mode)];
        this.begin();
    }

    playClip(clip) {
        this.mix = [];
        this.clip = clip;
        const centre = (t) => {
            const worlds = worldsOfClip(this.nodes, clip, t),
                moved = [...new Set(clip.tracks.map(({ node }) => node))].filter((n) => worlds[n]);
            return [12, 13, 14].map((i) => moved.reduce((sum, n) => sum + worlds[n][i], 0) / (moved.length || 1));
        };
        clip.travel ??= minus(centre(clip.duration), centre(0));
        this.begin();
    }

    begin() {
        this.time = 0;
        const fastest = Math.max(0, ...this.mix.map(({ hz }) => hz));
        this.setRate(fastest > calm ? Math.max(-5, Math.round(2 * Math.log2(calm / fastest)) / 2) : 0);
        this.show();
    }

    setRate(doublings) {
        this.rate = 2 ** doublings;
        $("rate").value = doublings;
        $("pace").textContent =
            doublings === 0
                ? "as it is"
                : doublings > 0
                  ? `${+this.rate.toPrecision(2)} × faster`
                  : `${+(1 / this.rate).toPrecision(2)} × slower`;
        $("rate").setAttribute("aria-valuetext", $("pace").textContent);
    }

    setPlaying(playing) {
        this.playing = playing;
        $("play").textContent = playing ? "Pause" : "Play";
    }

    // --- the lists

    build() {
        const { name = "Model", new_clips: made } = this.extras,
            whole = this.modes.length > 0;
        document.title = `${name} in motion`;
        $("name").textContent = name.replace(/\.[^.]+$/, "");
        $("intro").textContent = whole
            ? "These are the motions that this body falls into by itself, as a tree sways in the wind. " +
              "The slowest is first. Choose one to see it. Press + to add another."
            : "Choose a motion to see it.";
        $("view").setAttribute(
            "aria-label",
            `${name}. Drag or use the arrow keys to turn it. ` +
                "Use the wheel, two fingers or + and − to come closer, Home to reset.",
        );
        this.rows = [];
        if (whole)
            this.list(
                "Natural motions",
                this.modes.map((mode) => this.modeRow(mode)),
            );
        this.list(
            whole ? "Clips" : "Motions",
            this.clips.slice(0, made).map((clip) => this.clipRow(clip)),
        );
        this.list(
            "Clips of the file",
            this.clips.slice(made).map((clip) => this.clipRow(clip)),
        );
        $("find").hidden = this.rows.length < 12;
        $("find").oninput = () => {
            const words = $("find").value.toLowerCase().split(/\s+/);
            for (const { item } of this.rows)
                item.hidden = !words.every((word) => item.textContent.toLowerCase().includes(word));
        };
        $("play").onclick = () => this.setPlaying(!this.playing);
        $("rate").oninput = () => this.setRate(+$("rate").value);
        $("reset").onclick = () => this.camera.reset();
        $("save").onclick = () => this.save();
        document.addEventListener("keydown", (event) => {
            if (event.key !== " " || /BUTTON|INPUT/.test(event.target.tagName)) return;
            event.preventDefault();
            this.setPlaying(!this.playing);
        });
        this.camera.listen($("view"));
        this.setPlaying(this.playing);
    }

    list(title, rows) {
        if (rows.length === 0) return;
        $("lists").append(element("h2", { textContent: title }), element("ul", {}, ...rows.map(({ item }) => item)));
        this.rows.push(...rows);
    }

    modeRow(mode) {
        const name = mode.name ? capital(mode.name) : `Mode ${mode.index}`;
        const play = element(
            "button",
            { onclick: () => this.playMode(mode) },
            element("span", { textContent: name }),
            element("small", { textContent: perSecond(mode.hz) }),
        );
        const add = element("button", { className: "add", onclick: () => this.addMode(mode) });
        add.setAttribute("aria-label", `Mix in: ${name}`);
        const item = element("li", {}, element("div", { className: "row" }, play, add));
        return { item, play, add, mode };
    }

    clipRow(clip) {
        const play = element(
            "button",
            { onclick: () => this.playClip(clip) },
            element("span", { textContent: capital(clip.name || "Clip") }),
            element("small", { textContent: `${+clip.duration.toFixed(2)} s` }),
        );
        return { item: element("li", {}, element("div", { className: "row" }, play)), play, clip };
    }

    // Sliders of a part of the mix.
    sliders(part, name) {
        const slider = (label, range, value, set, text) => {
            const input = element("input", { type: "range", ...range }),
                output = element("output");
            input.value = value; // after its range
            input.setAttribute("aria-label", `${label}: ${name}`);
            input.oninput = () => {
                set(+input.value);
                output.textContent = text();
                input.setAttribute("aria-valuetext", output.textContent);
                this.showWords();
            };
            output.textContent = text();
            input.setAttribute("aria-valuetext", output.textContent);
            return [element("span", { textContent: label }), input, output];
        };
        return element(
            "div",
            { className: "sliders" },
            ...slider(
                "How far",
                { min: 0, max: 2, step: 0.05 },
                part.amount,
                (v) => {
                    part.amount = v;
                },
                () => `${+(part.amount * part.mode.degrees).toPrecision(3)}°`,
            ),
            ...slider(
                "Head start",
                { min: 0, max: 360, step: 5 },
                part.phase,
                (v) => {
                    part.phase = v;
                },
                () => `${Math.round(part.phase / 3.6)} %`,
            ),
            ...slider(
                "How fast",
                { min: -2, max: 2, step: 0.05 },
                Math.log2(part.hz / part.mode.hz),
                (v) => {
                    part.hz = part.mode.hz * 2 ** v;
                },
                () => `${+part.hz.toPrecision(3)} Hz`,
            ),
        );
    }

    show() {
        for (const row of this.rows) {
            const part = this.mix.find(({ mode }) => mode === row.mode),
                on = part !== undefined || (row.clip && row.clip === this.clip);
            row.play.setAttribute("aria-pressed", String(Boolean(on)));
            if (!row.add) continue;
            row.add.textContent = part ? "−" : "+";
            row.add.setAttribute("aria-pressed", String(part !== undefined));
            if (part !== row.part) {
                row.item.querySelector(".sliders")?.remove();
                if (part) row.item.append(this.sliders(part, row.play.firstChild.textContent));
                row.part = part;
            }
        }
        $("save").hidden = this.mix.length === 0;
        this.showWords();
    }

    showWords() {
        $("words").hidden = this.mix.length === 0;
        $("words").replaceChildren(
            "For the command line: ",
            element("code", { textContent: `--mix ${mixWords(this.mix)}` }),
        );
    }

    save() {
        const name = `mix ${this.mix.map(({ mode }) => mode.index).join(" ")}`;
        const bytes = this.record(this.mix, name),
            link = element("a", {
                href: URL.createObjectURL(new Blob([bytes], { type: "model/gltf-binary" })),
                download: `${$("name").textContent} ${name}.glb`,
            });
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    }

    // --- frames

    frame(now) {
        if (this.playing) this.time += this.rate * Math.min(0.1, (now - (this.before ?? now)) / 1000);
        this.before = now;
        this.paint();
        requestAnimationFrame((time) => this.frame(time));
    }

    paint() {
        const canvas = $("view"),
            scale = Math.min(2, devicePixelRatio),
            width = Math.round(canvas.clientWidth * scale),
            height = Math.round(canvas.clientHeight * scale);
        if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
        const style = getComputedStyle(document.documentElement).getPropertyValue("--grid").trim();
        const line = [1, 3, 5, 7].map((i) => parseInt(style.slice(i, i + 2), 16) / 255);
        this.stage.draw(this.worlds(this.time), this.camera, { line, shift: this.travelled() });
    }

    // The camera goes along with a clip that travels: minus its way on the floor, on the stage.
    travelled() {
        if (!this.clip || !(this.clip.duration > 0)) return [0, 0];
        const share = (this.time % this.clip.duration) / this.clip.duration,
            m = this.stage.place.matrix,
            way = this.clip.travel.map((x) => share * x);
        return [0, 2].map((i) => -(m[i] * way[0] + m[4 + i] * way[1] + m[8 + i] * way[2]));
    }
}

try {
    const page = new Page(readModel());
    globalThis.eigenrig = page; // for scripts
    page.build();
    if (page.modes.length > 0) page.playMode(page.modes.find((mode) => mode.whole_body) ?? page.modes[0]);
    else if (page.clips.length > 0) page.playClip(page.clips[0]);
    else page.show();
    page.paint();
    performance.mark("shown");
    requestAnimationFrame((time) => page.frame(time));
} catch (problem) {
    $("trouble").textContent = `The model cannot be shown: ${problem.message}`;
    $("trouble").hidden = false;
    throw problem;
}
