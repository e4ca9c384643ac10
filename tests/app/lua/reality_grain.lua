-- Friction that differs along a direction of a body, as of skates, sledges and ploughed ground: closed forms.

local g = 9.81

-- Coefficients along and across of an actor on ground of coefficient 1. The pair takes the geometric mean.
local function grained(scene, along, across)
    return scene:material{friction = across ^ 2, grain_friction = along ^ 2, grain = {2, 0, 0}}
end

local function begin(given)
    given = given or {}
    given.sleep_time = 0
    local scene = eigenrig.scene(given)
    scene:actor{plane = true, motion = "still", material = scene:material{friction = 1}}
    return scene
end

local function slab(scene, material, velocity, turn)
    return scene:actor{box = {1, 0.1, 1}, at = {0, 0.05, 0}, turn = turn, material = material, velocity = velocity}
end

-- The velocity after t of what dissipates most: against (along^2 x, across^2 z), of the size of the ellipse.
local function exact(along, across, x, z, t)
    local n = 20000
    for _ = 1, n do
        local function rate(u, w)
            local size = math.sqrt((along * u) ^ 2 + (across * w) ^ 2)
            return -g * along ^ 2 * u / size, -g * across ^ 2 * w / size
        end
        local a, b = rate(x, z)
        local c, d = rate(x + a * t / n / 2, z + b * t / n / 2)
        x, z = x + c * t / n, z + d * t / n
    end
    return x, z
end

function promise.a_sledge_slows_down_less_along_its_grain_than_across()
    local scene = begin()
    local material = grained(scene, 0.05, 0.8)
    local along, across = slab(scene, material, {3, 0, 0}), slab(scene, material, {0, 0, 3})
    across:place{0, 0.05, 20}
    scene:run(0.25)
    near(along.velocity.x, 3 - 0.05 * g * 0.25)
    near(across.velocity.z, 3 - 0.8 * g * 0.25)
    scene:run(0.25)
    close(across.velocity:length(), 0, 1e-9)
    near(along.velocity.x, 3 - 0.05 * g * 0.5)
    close(along.velocity.z, 0, 1e-9)
end

-- The direction turns towards the grain on the way.
function promise.at_an_angle_friction_dissipates_most()
    for _, angle in ipairs{20, 45, 80} do
        local scene = begin{step = 1 / 480}
        local x, z = 3 * math.cos(math.rad(angle)), 3 * math.sin(math.rad(angle))
        local sledge = slab(scene, grained(scene, 0.2, 0.7), {x, 0, z})
        scene:run(0.25)
        local u, w = exact(0.2, 0.7, x, z, scene.time)
        close(sledge.velocity.x, u, 1e-3)
        close(sledge.velocity.z, w, 1e-3)
        close(sledge.spin:length(), 0, 1e-3)
    end
end

function promise.a_turn_by_90_degrees_exchanges_the_two_coefficients()
    local scene = begin()
    local sledge = slab(scene, grained(scene, 0.1, 0.6), {3, 0, 0}, {0, 90, 0})
    local other = slab(scene, grained(scene, 0.6, 0.1), {3, 0, 0})
    other:place{0, 0.05, 20}
    scene:run(0.4)
    near(sledge.velocity.x, 3 - 0.6 * g * 0.4)
    near(other.velocity.x, sledge.velocity.x)
end

-- The one that is smooth along its grain goes on for ever along it.
function promise.a_skate_without_friction_along_it_keeps_its_way()
    local scene = begin()
    local skate = slab(scene, grained(scene, 0, 0.8), {2, 0, 2})
    scene:run(3)
    near(skate.velocity.x, 2)
    close(skate.velocity.z, 0, 1e-9)
end

-- On a slope it holds while (weight along / along)^2 + (weight across / across)^2 <= normal force^2.
local along, across, slope = 0.1, 0.7, math.rad(20)
local limit = math.acos(math.sqrt((1 / math.tan(slope) ^ 2 - 1 / across ^ 2) / (1 / along ^ 2 - 1 / across ^ 2)))

local function hill(angle)
    local scene = eigenrig.scene{sleep_time = 0, gravity = {g * math.sin(slope), -g * math.cos(slope), 0}}
    local ground = scene:actor{box = {40, 1, 40}, at = {0, -0.5, 0}, motion = "led", material = scene:material{friction = 1}}
    local sledge = scene:actor{box = {0.5, 0.1, 0.5}, at = {0, 0.05, 0}, turn = {0, math.deg(angle), 0},
        material = grained(scene, along, across)}
    return scene, sledge, ground
end

function promise.a_sledge_on_a_slope_holds_up_to_an_angle_of_its_grain()
    for _, beyond in ipairs{-1, 1} do
        local scene, sledge = hill(limit - beyond * math.rad(1))
        scene:run(3)
        assert((sledge.position.x > 0.05) == (beyond > 0), sledge.position.x)
        assert(beyond > 0 or sledge.position.x < 1e-4, sledge.position.x)
    end
end

-- The slope turns under it, by 10 degrees a second.
function promise.a_sledge_slides_once_the_slope_has_turned_far_enough()
    local scene, sledge, ground = hill(math.pi / 2)
    local rate, turned = math.rad(10), nil
    for _ = 1, 60 * 9 do
        local angle = rate * scene.time
        ground.orientation = eigenrig.quat(math.cos(angle / 2), 0, math.sin(angle / 2), 0)
        scene:frame()
        turned = turned or (sledge.position.x > 1e-3 and angle or nil)
    end
    assert(turned and turned > math.pi / 2 - limit and turned < math.pi / 2 - limit + 0.1, turned)
end

-- The grain of ground, of a still actor that is turned, and a trail of another actor.
function promise.ground_has_a_grain_too()
    local scene = eigenrig.scene{sleep_time = 0}
    local field = scene:material{friction = 0.64, grain_friction = 0.04, grain = {1, 0, 0}}
    scene:actor{box = {80, 1, 80}, at = {0, -0.5, 0}, motion = "still", material = field, turn = {0, 90, 0}}
    local smooth = scene:material{friction = 1}
    local a, b = slab(scene, smooth, {0, 0, 3}), slab(scene, smooth, {3, 0, 0})
    b:place{0, 0.05, 20}
    scene:run(0.3)
    near(a.velocity.z, 3 - 0.2 * g * 0.3)
    near(b.velocity.x, 3 - 0.8 * g * 0.3)
end

-- Contacts of jointed actors, of balls and of stacks are solved by other parts of the solver.
function promise.jointed_actors_and_stacks_and_balls_have_a_grain()
    local scene = begin()
    local material = grained(scene, 0.05, 0.8)
    local function pair(z, velocity, joined)
        local under = slab(scene, material, velocity)
        under:place{0, 0.05, z}
        local above = scene:actor{box = {0.4, 0.2, 0.4}, at = {0, 0.2, z}, velocity = velocity, material =
            scene:material{friction = 1}}
        if joined then scene:joint("fixed", under, above) end
        return under
    end
    local jointed, across = pair(0, {3, 0, 0}, true), pair(10, {0, 0, 3}, true)
    local stack = pair(20, {3, 0, 0}, false)
    local slanted = pair(40, {2, 0, 2}, true)
    scene:run(0.25)
    near(jointed.velocity.x, 3 - 0.05 * g * 0.25, 1e-6)
    near(across.velocity.z, 3 - 0.8 * g * 0.25, 1e-3)
    near(stack.velocity.x, 3 - 0.05 * g * 0.25, 1e-3)
    local u, w = exact(0.05, 0.8, 2, 2, scene.time)
    close(slanted.velocity.x, u, 0.01)
    close(slanted.velocity.z, w, 0.03)

    -- a ball on a grained plane that moves along the smooth direction slides; across it rolls at once
    local hall = eigenrig.scene{sleep_time = 0}
    hall:actor{plane = true, motion = "still", material = hall:material{friction = 1, grain_friction = 0, grain = {1, 0, 0}}}
    local ball = hall:actor{sphere = 0.1, at = {0, 0.1, 0}, velocity = {2, 0, 2}, material = hall:material{friction = 1}}
    hall:run(1)
    near(ball.velocity.x, 2, 1e-6)
    near(ball.velocity.z, 2 * 5 / 7, 1e-3)
    close(ball.spin.z, 0, 1e-6)
end

function promise.two_like_coefficients_are_no_grain()
    local hash
    for _, grain in ipairs{false, {1, 0, 0}} do
        local scene = begin()
        local material = scene:material{friction = 0.3, grain_friction = 0.3, grain = grain or nil}
        slab(scene, material, {2, 0, 1})
        scene:run(0.5)
        hash = hash or scene.hash
        equal(scene.hash, hash)
    end
end

function promise.a_grain_can_be_read_and_changed()
    local scene = begin()
    local material = grained(scene, 0.1, 0.6)
    near(material.grain_friction, 0.01)
    same(material.grain, {2, 0, 0})
    equal(material.rolling, 0) equal(material.spinning, 0)
    local sledge = slab(scene, material, {3, 0, 0})
    scene:run(0.1)
    near(sledge.velocity.x, 3 - 0.1 * g * 0.1)
    material.grain = {0, 0, 1}
    scene:run(0.1)
    near(sledge.velocity.x, 3 - 0.7 * g * 0.1)
    fails("grain", function() material.grain = {0, 0, 1 / 0} end)
    fails("grain_friction", function() material.grain_friction = -1 end)
end

function promise.the_reference_solver_refuses_a_grain()
    local scene = begin{solver = "reference"}
    scene:actor{name = "ski", box = {1, 0.1, 1}, at = {0, 0.05, 0}, material = grained(scene, 0.1, 0.6)}
    scene:frame()
    local why = told()
    assert(why:find("ski", 1, true) and why:find("grain", 1, true) and scene.steps == 0, why)
end
