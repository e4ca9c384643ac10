/** Natural modes, gaits, follow-through and dynamics of rigged models. Units: m, s, kg, rad; Hz for frequencies. */

/** Seven numbers a body: the unit quaternion w x y z and the position x y z, m, in the model's world. */
export type Poses = Float64Array;

/** Options of load(). */
export interface LoadOptions {
    /** The bytes of eigenrig_glue.wasm, instead of fetching or reading it. */
    wasmBinary?: Uint8Array | ArrayBuffer;
    /** The address of a file of the package by its name. */
    locateFile?: (name: string, folder: string) => string;
}

/** Loads the module. A page needs it once; rigs of one module are used one call at a time. */
export function load(options?: LoadOptions): Promise<Eigenrig>;

export interface Eigenrig {
    /** The library's version. */
    readonly version: string;
    /**
     * Opens a model: glTF 2.0 (.glb, .gltf, VRM) or BVH, told apart by content.
     * @param name   for messages
     * @param files  bytes of the files that a .gltf refers to, by their paths
     * @throws Error with the library's sentence
     */
    open(bytes: Uint8Array | ArrayBuffer, name?: string, files?: Record<string, Uint8Array>): Rig;
}

export interface Body {
    readonly name: string;
    /** kg */
    readonly mass: number;
    /** Index of the body that it hangs on, -1 for a root. */
    readonly parent: number;
    /** Index of its node in Rig.nodes. */
    readonly node: number;
}

export interface Node {
    readonly name: string;
    /** Index in the glTF file's "nodes"; -1 for BVH. */
    readonly source: number;
}

/** A free coordinate of a joint. */
export interface Coordinate {
    /** The joint's name. */
    readonly joint: string;
    /** N m/rad or N/m, of the file's rig. */
    readonly stiffness: number;
}

export interface Mode {
    /** From 0, rigid modes among them. */
    readonly index: number;
    readonly kind: "rigid" | "mechanism" | "elastic";
    readonly hz: number;
    /** Ratio; 1 is critical. */
    readonly damping: number;
    /** Plain words such as "tail swings sideways"; "" unless asked for. */
    readonly name: string;
    /** [6 x bodies], angular and linear velocity of each body, body axes. */
    readonly body: Float64Array;
    /** [coordinates], joint coordinates. */
    readonly joint: Float64Array;
}

/** Poses of all bodies at times. */
export interface Frames {
    /** s, ascending from 0. */
    readonly time: Float64Array;
    /** [times x bodies x 7] */
    readonly pose: Poses;
    /** [times x 3], m: add it to all positions of a frame so that a gait travels; null for other motions. */
    readonly travel: Float64Array | null;
    /** Whether the last frame is the first again. */
    readonly loops: boolean;
    /** The poses of one frame. */
    at(frame: number): Poses;
}

export interface Gait {
    readonly name: string;
    readonly family: string;
    /** Strides per second. */
    readonly hz: number;
    /** m/s */
    readonly speed: number;
    /** m */
    readonly stride: number;
    /** Mean fraction of the stride that a foot stands. */
    readonly duty: number;
    /** 0 to 1; higher is better. */
    readonly score: number;
    /** One stride with the feet held. Use it before the next Rig.gaits() or Rig.tune(). */
    frames(fps?: number): Frames;
}

export interface World {
    /** s */
    readonly time: number;
    /** Advances to a time, s. */
    advance(until: number): void;
    /** A copy of the present poses. */
    pose(): Poses;
    /** An impulse, N s, at a point, m; both in the world's axes. */
    push(body: number, point: [number, number, number], impulse: [number, number, number]): void;
    close(): void;
}

export interface Rig {
    readonly bodies: readonly Body[];
    readonly nodes: readonly Node[];
    readonly coordinates: readonly Coordinate[];
    /** Assumptions and losses in reading the model. */
    readonly notes: readonly string[];
    /** Names of the clips in the file. */
    readonly clips: readonly string[];
    /** m */
    readonly height: number;
    /** m per unit of the file. */
    readonly metresPerUnit: number;
    /** The poses of the equilibrium. */
    readonly rest: Poses;
    /** Sets the stiffness of each coordinate, N m/rad or N/m, and forgets modes and gaits. */
    tune(stiffness: ArrayLike<number>): void;
    /** The modes: all, or the lowest `count`. `names` tells what each one does. */
    modes(options?: { count?: number; names?: boolean }): Mode[];
    /**
     * Swings a mix of modes, such as "7:12, 9:5cm@1.1+90": mode 7 by 12 degrees, mode 9 by 5 cm at 1.1 Hz, 90 degrees
     * ahead. seconds 0 is chosen from the frequencies; loop makes an exact cycle. [0, 60, true]
     */
    mix(text: string, options?: { seconds?: number; fps?: number; loop?: boolean }): Frames;
    /** Finds gaits, best first of each family. @param best  most gaits, 1 to 100 [6] */
    gaits(best?: number): Gait[];
    /**
     * Lets bodies (by name or index) swing freely along a motion.
     * hz: the first frequency of each part, 0 for its own springs [0]; bounce: share of a swing that the next has,
     * negative for its own damping [0.4]; gravity, m/s^2 [0 0 0].
     */
    follow(
        frames: Frames,
        loose: readonly (string | number)[],
        options?: { hz?: number; bounce?: number; gravity?: [number, number, number] },
    ): Frames;
    /** Full dynamics with contact. gravity, m/s^2 [0 -9.81 0]; ground: a floor under the lowest point [true]. */
    world(options?: { gravity?: [number, number, number]; ground?: boolean }): World;
    /** World transforms of the nodes, [nodes x 12], file units: three rows of a matrix, then the translation. */
    nodeTransforms(pose: Poses): Float64Array;
    /** Meshes as they are drawn; skin() moves their vertices. */
    readonly instances: readonly { readonly vertices: number; readonly triangles: Int32Array }[];
    /** Positions of an instance's vertices, [vertices x 3], file units. */
    skin(instance: number, pose: Poses): Float64Array;
    /**
     * The model with a motion as a clip: the bytes of a .glb, .bvh or .dae file, by the ending of `path`. A GLB keeps
     * all that the source has. tolerance, rad: 0 keys every frame [0.001].
     */
    write(frames: Frames, path: string, options?: { name?: string; tolerance?: number }): Uint8Array;
    /** The rig and the modes last solved, as a palette file (JSON). */
    palette(): string;
    /** Frees the rig. */
    close(): void;
}
