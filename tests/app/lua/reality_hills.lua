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

-- A ball that rolls in a trough swings as a pendulum of 7/5 of the way of its centre.
function promise.a_ball_swings_with_its_period()
    local scene = eigenrig.scene{sleep_time = 0}
    local m = scene:material{friction = 1}
    pipe(scene, m, 384)
    local body = scene:actor{sphere = ball, at = {0.08, radius - math.sqrt((radius - ball) ^ 2 - 0.08 ^ 2), 0}, material = m}
    local passes, before = {}, 1
    for _ = 1, 900 do
        scene:frame()
        local x = body.position.x
        if before < 0 and x >= 0 then passes[#passes + 1] = scene.time - scene.step * x / (x - before) end
        before = x
    end
    near((passes[#passes] - passes[1]) / (#passes - 1), 2 * math.pi * math.sqrt(1.4 * (radius - ball) / 9.81), 0.01)
end

function promise.a_ball_rests_where_two_slopes_meet()
    local scene = eigenrig.scene{sleep_time = 0}
    for _, slope in ipairs{45, -45} do scene:actor{plane = true, motion = "still", turn = {0, 0, slope}} end
    local body = scene:actor{sphere = 0.2, at = {0, 0.4, 0}}
    scene:run(3)
    close(body.position.x, 0, 1e-6)
    close(body.position.y, 0.2 * math.sqrt(2), 1e-4)
end

-- A capsule whose centre lies 5 cm before an edge stays, and one 5 cm beyond falls.
function promise.a_capsule_falls_off_an_edge_by_its_centre()
    for _, x in ipairs{-0.05, 0.05} do
        local scene = eigenrig.scene{sleep_time = 0}
        scene:actor{box = {2, 1, 1}, at = {-1, -0.5, 0}, motion = "still"}
        local body = scene:actor{capsule = {0.05, 1}, along = "x", at = {x, 0.05, 0}}
        scene:run(2)
        if x < 0 then close(body.position.y, 0.05, 1e-3) else assert(body.position.y < -1, body.position.y) end
    end
end

function promise.one_triangle_is_ground()
    local scene = eigenrig.scene{}
    scene:actor{mesh = {points = {{-2, 0, -2}, {2, 0, -2}, {0, 0, 3}}, triangles = {{1, 3, 2}}}, motion = "still"}
    local body = scene:actor{sphere = 0.2, at = {0, 1, 0}}
    scene:run(2)
    close(body.position.y, 0.2, 1e-4)
end

-- A ball goes round a loop if it enters with 27/7 of the gravity on the way of its centre.
function promise.a_ball_goes_round_a_loop_if_it_is_fast_enough()
    for _, share in ipairs{0.97, 1.06} do
        local scene = eigenrig.scene{sleep_time = 0}
        local m, points, triangles, count = scene:material{friction = 1}, {}, {}, 200
        for i = 0, count do
            local a = 2 * math.pi * i / count
            for _, z in ipairs{-0.25, 0.25} do points[#points + 1] = {math.sin(a), 1 - math.cos(a), 0.6 * i / count + z} end
            local k = 2 * i - 1
            if i > 0 then
                triangles[#triangles + 1] = {k, k + 1, k + 2}
                triangles[#triangles + 1] = {k + 2, k + 1, k + 3}
            end
        end
        scene:actor{mesh = {points = points, triangles = triangles}, motion = "still", material = m}
        local v = share * math.sqrt(27 / 7 * 9.81 * 0.9)
        local body = scene:actor{sphere = 0.1, at = {0, 0.1, 0}, velocity = {v, 0, 0.6 * v / (2 * math.pi * 0.9)},
            spin = {0, 0, -v / 0.1}, material = m}
        local top, least = 0, 1
        for _ = 1, 55 do
            scene:frame()
            local p = body.position
            top, least = math.max(top, p.y), math.min(least, math.sqrt(p.x ^ 2 + (p.y - 1) ^ 2))
        end
        if share > 1 then assert(top > 1.88 and least > 0.87, least) else assert(least < 0.85, least) end
    end
end
