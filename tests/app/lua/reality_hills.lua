-- Bodies that roll or slide on curved ground gain no height.

local radius, ball = 1, 0.1

-- A half pipe along z whose lowest line is at the origin, as a mesh of facets.
local function pipe(scene, material, facets)
    local points, triangles = {}, {}
    for i = 0, facets do
        local a = math.pi * (i / facets - 0.5)
        for z = -0.5, 0.5 do points[#points + 1] = {radius * math.sin(a), radius - radius * math.cos(a), z} end
    end
    for i = 0, facets - 1 do
        local k = 2 * i + 1
        triangles[#triangles + 1] = {k, k + 1, k + 2}
        triangles[#triangles + 1] = {k + 2, k + 1, k + 3}
    end
    scene:actor{mesh = {points = points, triangles = triangles}, motion = "still", material = material}
end

-- The largest ways aside in each of some seconds, of a shape let go at an angle of 0.3.
local function swings(fields, friction, facets, shape, parts, seconds)
    fields.sleep_time = 0
    local scene = eigenrig.scene(fields)
    local m = scene:material{friction = friction}
    pipe(scene, m, facets)
    shape.at = {(radius - ball) * math.sin(0.3), radius - (radius - ball) * math.cos(0.3), 0}
    shape.material = m
    local body, out = scene:actor(shape), {}
    for part = 1, parts do
        out[part] = 0
        for _ = 1, math.floor(seconds / scene.step) do
            scene:frame()
            out[part] = math.max(out[part], math.abs(body.position.x))
        end
    end
    return out
end

local first = (radius - ball) * math.sin(0.3)

local function never_grows(ways, name)
    for i, way in ipairs(ways) do assert(way <= (i == 1 and first or ways[1]) * 1.001, name .. ": " .. way) end
end

function promise.a_ball_in_a_half_pipe_does_not_climb()
    for _, substeps in ipairs{1, 4, 16} do
        for _, friction in ipairs{0, 1} do
            local ways = swings({substeps = substeps}, friction, 384, {sphere = ball}, 4, 10)
            never_grows(ways, substeps .. " sub-steps, friction " .. friction)
            assert(ways[4] > 0.8 * first, substeps .. " sub-steps, friction " .. friction .. ": " .. ways[4])
        end
    end
end

function promise.facets_and_steps_do_not_matter()
    for _, facets in ipairs{24, 96, 1536} do never_grows(swings({}, 1, facets, {sphere = ball}, 2, 10), facets) end
    never_grows(swings({step = 1 / 240}, 1, 384, {sphere = ball}, 2, 5), "1/240 s")
end

function promise.cylinders_and_capsules_do_not_climb_either()
    never_grows(swings({}, 1, 384, {cylinder = {ball, 0.4}, along = "z"}, 3, 10), "cylinder")
    never_grows(swings({}, 1, 384, {capsule = {ball, 0.4}, along = "z"}, 3, 10), "capsule")
end
