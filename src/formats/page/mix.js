// A mix of modes: x(t) = sum of amount sin(2 pi hz t + phase) shape, shapes as the file has them at amount 1.

function readModes(glb, tree) {
    if (!tree) return [];
    const shapes = numbers(glb, glb.json.extras.shapes);
    return glb.json.extras.modes.map((mode, i) => ({
        ...mode,
        shape: shapes.subarray(tree.width * i, tree.width * (i + 1)),
    }));
}

const startPart = (mode) => ({ mode, amount: 1, phase: 0, hz: mode.hz });

function displacement(tree, mix, t) {
    const x = new Float64Array(tree.width);
    for (const { mode, amount, phase, hz } of mix) {
        const factor = amount * Math.sin(2 * Math.PI * (hz * t + phase / 360));
        mode.shape.forEach((value, c) => {
            x[c] += factor * value;
        });
    }
    return x;
}

// A cycle of whole frames and whole cycles of the slowest part that changes no frequency by more than 2 %, or else the
// one that changes them least; and the mix at those frequencies.
function looped(mix, fps) {
    const slowest = Math.min(...mix.map(({ hz }) => hz));
    let best = 0,
        least = Infinity;
    for (let n = 1; n <= 24 && least > 0.02; ++n) {
        const seconds = Math.max(1, Math.round((n / slowest) * fps)) / fps;
        const worst = Math.max(
            ...mix.map(({ hz }) => Math.abs(Math.max(1, Math.round(hz * seconds)) / (hz * seconds) - 1)),
        );
        if (worst >= least) continue;
        least = worst;
        best = seconds;
    }
    return { seconds: best, mix: mix.map((part) => ({ ...part, hz: Math.max(1, Math.round(part.hz * best)) / best })) };
}

// The words that `eigenrig animate --mix` takes.
const mixWords = (mix) =>
    mix
        .map(
            ({ mode, amount, phase, hz }) =>
                `${mode.index}:${+(amount * mode.degrees).toFixed(2)}` +
                (hz === mode.hz ? "" : `@${+hz.toFixed(4)}`) +
                (phase ? `+${phase}` : ""),
        )
        .join(",");
