-- Shared by promises in Lua.

-- `function promise.words()` adds one: by its name, and to the list of them.
promise = setmetatable({}, {__newindex = function(all, name, run)
    assert(rawget(all, name) == nil, name)
    rawset(all, #all + 1, name)
    rawset(all, name, run)
end})

-- Asserts that two numbers agree to 1e-9, or to a given share.
function near(a, b, share)
    local most = (share or 1e-9) * math.abs(b)
    if not (math.abs(a - b) <= most) then error(("%.17g is not %.17g"):format(a, b), 2) end
end

-- Asserts that two numbers differ by at most 1e-12, or as given.
function close(a, b, most)
    if not (math.abs(a - b) <= (most or 1e-12)) then error(("%.17g is not %.17g"):format(a, b), 2) end
end

-- The same for vectors or lists of numbers.
function same(a, b, most)
    a = type(a) == "userdata" and a:totable() or a
    b = type(b) == "userdata" and b:totable() or b
    if #a ~= #b then error(#a .. " numbers are not " .. #b, 2) end
    for i = 1, #a do
        if not (math.abs(a[i] - b[i]) <= (most or 1e-12)) then error(("number %d is %.17g, not %.17g"):format(i, a[i], b[i]),
            2) end
    end
end

-- Asserts that two values are equal.
function equal(a, b)
    if a ~= b then error(tostring(a) .. " is not " .. tostring(b), 2) end
end

-- Asserts that a call fails, and that the error names a field, value or place. Returns the error.
function fails(named, f, ...)
    local ok, why = pcall(f, ...)
    if ok then error("it went well, and should have named " .. named, 2) end
    if not tostring(why):find(named, 1, true) then error("it said " .. tostring(why) .. ", not " .. named, 2) end
    return why
end

-- The same for a text of Lua that works on `it`.
function wrong(it, text, named)
    local f = assert(load("local it = ... " .. text, "=text"))
    local ok, why = pcall(f, it)
    if ok then error(text .. " went well, and should have named " .. named, 2) end
    if not tostring(why):find(named, 1, true) then error(text .. " said " .. tostring(why) .. ", not " .. named, 2) end
end

function read(path)
    local file <close> = assert(io.open(path, "rb"))
    return file:read("a")
end

function write(name, text)
    local path = folder .. "/" .. name
    local file <close> = assert(io.open(path, "wb"))
    file:write(text)
    return path
end

-- A rig file of bodies and joints, as tables of what is not the usual in them: its path. Bodies: name, mass, com, inertia
-- (a matrix, or its diagonal), position, orientation. Joints: type, parent (-1), child, position, orientation,
-- stiffness, damping and limits, lists.
function write_rig(name, bodies, joints, more)
    local free = {fixed = 0, revolute = 1, prismatic = 1, universal = 2, cylindrical = 2, spherical = 3, free = 6}
    local rig = {format = "eigenrig-rig", version = 1, name = name, source = "", bodies = {}, joints = {}}
    for key, value in pairs(more or {}) do rig[key] = value end
    for i, b in ipairs(bodies) do
        local d = b.inertia or {1, 1, 1}
        rig.bodies[i] = {name = b.name or "body " .. i - 1, mass = b.mass or 1, com = b.com or {0, 0, 0},
            inertia = type(d[1]) == "table" and d or {{d[1], 0, 0}, {0, d[2], 0}, {0, 0, d[3]}}, position = b.position
                or {0, 0, 0},
            orientation = b.orientation or {1, 0, 0, 0}}
    end
    for i, j in ipairs(joints) do
        local count, stiffness, damping = free[j.type], {}, {}
        for c = 1, count do stiffness[c], damping[c] = (j.stiffness or {})[c] or 0, (j.damping or {})[c] or 0 end
        rig.joints[i] = {name = j.name or "joint " .. i - 1, parent = j.parent or -1, child = j.child, type = j.type,
            position = j.position or {0, 0, 0}, orientation = j.orientation or {1, 0, 0, 0}, stiffness = stiffness,
            damping = damping, limits = j.limits or eigenrig.null, closes_loop = j.closes_loop or false}
    end
    return write(name .. ".json", eigenrig.json.encode(rig))
end

-- An arm of three: an upper arm on a hinge of the world, a hand on a ball, a slide on it, and a stone that flies.
function write_arm()
    local half = math.sqrt(0.5)
    return write_rig("arm", {
        {name = "upper", mass = 2, com = {0.5, 0, 0}, inertia = {0.1, 0.2, 0.3}, position = {0, 1, 0}},
        {name = "hand", mass = 1, com = {0, 0.25, 0}, inertia = {0.01, 0.02, 0.025}, position = {1, 1, 0},
            orientation = {half, 0, half, 0}},
        {name = "slide", mass = 0.5, com = {0, 0, 0.125}, inertia = {0.03, 0.02, 0.01}, position = {1, 1.5, 0}},
        {name = "stone", mass = 4, position = {5, 2, 3}},
    }, {
        {name = "shoulder", child = 0, type = "revolute", position = {0, 1, 0}, stiffness = {50}, damping = {0.5},
            limits = {{-1, 2}}},
        {name = "wrist", parent = 0, child = 1, type = "spherical", position = {1, 1, 0}, orientation = {half, half, 0, 0},
            stiffness = {3, 4, 5}, damping = {0.1, 0.2, 0.3}, limits = {{-0.5, 0.25}, eigenrig.null, {-1, 1}}},
        {name = "drawer", parent = 1, child = 2, type = "prismatic", position = {1, 1.5, 0}, stiffness = {80},
            limits = {{-0.25, 0.5}}},
    })
end

-- Two pendulums of one second and of half a second that know nothing of each other: modes 0 and 1 turn joints "slow" and
-- "fast" alone.
function write_pendulums(more)
    local k = 4 * math.pi ^ 2
    return write_rig("pendulums", {{name = "a", position = {0.5, 0, 0}, inertia = {1, 1, 0.75}},
        {name = "b", position = {4, 0, 0}}}, {
        {name = "slow", child = 0, type = "revolute", stiffness = {k}, damping = {more or 0}},
        {name = "fast", child = 1, type = "revolute", position = {4, 0, 0}, stiffness = {4 * k}}})
end

-- The clips of a GLB: name, seconds, keys (of the channel that has most), and interpolation of its first sampler.
function clips_of(path)
    local text = read(path)
    local gltf, clips = eigenrig.json.decode(text:sub(21, 20 + string.unpack("<I4", text, 13))), {}
    for i, a in ipairs(gltf.animations or {}) do
        local clip = {name = a.name, seconds = 0, keys = 0, interpolation = a.samplers[1].interpolation}
        for _, sampler in ipairs(a.samplers) do
            local input = gltf.accessors[sampler.input + 1]
            clip.seconds, clip.keys = math.max(clip.seconds, input.max[1]), math.max(clip.keys, input.count)
        end
        clips[i] = clip
    end
    return clips
end

-- The cells of a table with commas: a list of lines, each a list of numbers (texts where they are none).
function cells_of(path)
    local rows = {}
    for line in io.lines(path) do
        local row = {}
        for cell in (line .. ","):gmatch("([^,]*),") do row[#row + 1] = tonumber(cell) or cell end
        rows[#rows + 1] = row
    end
    return rows
end

-- Hips with a spine and two legs of thigh, shin and foot, in centimetres; z is forward.
function write_walker(name)
    local text = {"HIERARCHY\nROOT Hips\n{\nOFFSET 0 90 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"}
    local turns = "CHANNELS 3 Zrotation Xrotation Yrotation\n"
    for _, side in ipairs{"Left", "Right"} do
        for i, part in ipairs{"UpLeg", "Leg", "Foot"} do
            text[#text + 1] = ("JOINT %s%s\n{\nOFFSET %d %d 0\n%s"):format(side, part, i > 1 and 0 or side == "Left" and 10
                or -10, ({-4, -42, -40})[i], turns)
        end
        text[#text + 1] = "End Site\n{\nOFFSET 0 -4 16\n}\n}\n}\n}\n"
    end
    text[#text + 1] = "JOINT Spine\n{\nOFFSET 0 30 0\n" .. turns .. "End Site\n{\nOFFSET 0 40 0\n}\n}\n}\nMOTION\nFrames: 3\nFrame Time: 0.5\n"
    for frame = 1, 3 do
        local row = {0, 90, 0, 0, 0, 0}
        for i = 7, 27 do row[i] = 0 end
        if frame == 2 then row[26] = 10 end
        text[#text + 1] = table.concat(row, " ") .. "\n"
    end
    return write((name or "walker") .. ".bvh", table.concat(text))
end

-- A stick of three joints in BVH, with a clip of half a second in which the spine turns by 20 degrees about z, and back.
stick = [[
HIERARCHY
ROOT hips
{
OFFSET 0 1 0
CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
JOINT spine
{
OFFSET 0 0.5 0
CHANNELS 3 Zrotation Xrotation Yrotation
JOINT head
{
OFFSET 0 0.5 0.1
CHANNELS 3 Zrotation Xrotation Yrotation
End Site
{
OFFSET 0 0.3 0
}
}
}
}
MOTION
Frames: 3
Frame Time: 0.25
0 1 0 0 0 0 0 0 0 0 0 0
0 1 0 0 0 0 20 0 0 0 0 0
0 1 0 0 0 0 0 0 0 0 0 0
]]
