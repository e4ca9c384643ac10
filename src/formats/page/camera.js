// A camera that orbits the model: by mouse, touch and keys.

class Camera {
    constructor(half) {
        this.half = half;
        this.reset();
    }

    reset() {
        this.yaw = 0.6;
        this.pitch = 0.22;
        this.target = [0, this.half[1], 0];
        this.zoom = 1;
    }

    turn(x, y) {
        this.yaw -= x;
        this.pitch = Math.min(1.5, Math.max(-1.2, this.pitch + y));
    }

    scale(factor) {
        this.zoom = Math.min(20, Math.max(0.1, this.zoom * factor));
    }

    // By shares of the height of what is seen.
    shift(x, y) {
        const s = this.far * 0.7,
            right = [Math.cos(this.yaw), 0, -Math.sin(this.yaw)];
        this.target = plus(this.target, [-x * s * right[0], y * s, -x * s * right[2]]);
    }

    eye() {
        const c = Math.cos(this.pitch);
        return plus(
            this.target,
            [Math.sin(this.yaw) * c, Math.sin(this.pitch), Math.cos(this.yaw) * c].map((x) => x * this.far),
        );
    }

    // From the stage to the screen.
    matrix(aspect) {
        const lens = 2.6,
            radius = Math.hypot(...this.half),
            narrow = Math.min(1, aspect);
        this.far = (0.85 * radius * Math.hypot(1, lens / narrow)) / this.zoom;
        const e = this.eye(),
            z = unit(minus(e, this.target)),
            x = unit(cross([0, 1, 0], z)),
            y = cross(z, x),
            near = this.far / 50,
            far = this.far + 30;
        const look = new Float64Array([
            x[0],
            y[0],
            z[0],
            0,
            x[1],
            y[1],
            z[1],
            0,
            x[2],
            y[2],
            z[2],
            0,
            -dot(x, e),
            -dot(y, e),
            -dot(z, e),
            1,
        ]);
        const lensed = new Float64Array([
            lens / aspect,
            0,
            0,
            0,
            0,
            lens,
            0,
            0,
            0,
            0,
            (far + near) / (near - far),
            -1,
            0,
            0,
            (2 * far * near) / (near - far),
            0,
        ]);
        return multiply(lensed, look);
    }

    listen(canvas) {
        const down = new Map();
        canvas.addEventListener("pointerdown", (event) => {
            canvas.setPointerCapture(event.pointerId);
            down.set(event.pointerId, event);
        });
        for (const name of ["pointerup", "pointercancel"])
            canvas.addEventListener(name, (event) => down.delete(event.pointerId));
        canvas.addEventListener("pointermove", (event) => {
            const before = down.get(event.pointerId);
            if (!before) return;
            const h = canvas.clientHeight,
                dx = (event.clientX - before.clientX) / h,
                dy = (event.clientY - before.clientY) / h;
            if (down.size === 1 && (event.buttons & 2 || event.shiftKey)) this.shift(dx, dy);
            else if (down.size === 1) this.turn(4 * dx, 4 * dy);
            else if (down.size === 2) {
                const [other] = [...down.values()].filter(({ pointerId }) => pointerId !== event.pointerId);
                const span = ({ clientX, clientY }) =>
                    Math.hypot(clientX - other.clientX, clientY - other.clientY) || 1;
                this.scale(span(event) / span(before));
                this.shift(dx / 2, dy / 2);
            }
            down.set(event.pointerId, event);
        });
        canvas.addEventListener("contextmenu", (event) => event.preventDefault());
        canvas.addEventListener(
            "wheel",
            (event) => {
                event.preventDefault();
                this.scale(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)));
            },
            { passive: false },
        );
        canvas.addEventListener("keydown", (event) => {
            const act = {
                ArrowLeft: () => this.turn(0.1, 0),
                ArrowRight: () => this.turn(-0.1, 0),
                ArrowUp: () => this.turn(0, 0.1),
                ArrowDown: () => this.turn(0, -0.1),
                "+": () => this.scale(1.1),
                "-": () => this.scale(1 / 1.1),
                Home: () => this.reset(),
            }[event.key];
            if (!act) return;
            event.preventDefault();
            act();
        });
    }
}
