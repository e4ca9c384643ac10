-- Limits of a ball joint's swing and twist, in scenes: they stop as softly as a hinge's limits, in all directions.

local g = 9.81
local down = {0, -1, 0}

-- A bob that hangs on a joint at the origin.
local function pendulum(scene, type, given)
    local bob = scene:actor{sphere = 0.05, at = {0, -1, 0}, mass = 2}
    given.at, given.axis = {0, 0, 0}, given.axis or down
    return bob, scene:joint(type, nil, bob, given)
end

-- The angle of the arm from where it hung, degrees.
local function swing(bob)
    local p = bob.position
    return math.deg(math.acos(-p.y / p:length()))
end

-- Sideways gravity pushes a pendulum against its limit: of a ball joint as of a hinge, by both solvers.
function promise.a_pendulum_stops_at_its_cone_as_a_hinge_at_its_limit()
    local tilt = math.rad(70)
    for _, solver in ipairs{"fast", "reference"} do
        local function begin()
            return eigenrig.scene{gravity = {g * math.sin(tilt), -g * math.cos(tilt), 0}, sleep_time = 0, solver = solver}
        end
        local scene, other = begin(), begin()
        local ball = pendulum(scene, "ball", {swing = 30})
        local hinge = pendulum(other, "hinge", {axis = {0, 0, 1}, limits = {-30, 30}})
        local most = 0
        for _ = 1, 240 do
            scene:frame()
            other:frame()
            close(swing(ball), swing(hinge), 1e-5) -- degrees
            most = math.max(most, swing(ball))
        end
        assert(most > 30 and most < 33, most)
        -- at rest, which the fast solver reaches, the spring of 10 Hz carries m g L sin(40 degrees): I w^2 times the depth
        local turned = math.rad(swing(ball))
        if solver == "fast" then
            near(2 * (1 + 0.4 * 0.05 ^ 2) * (20 * math.pi) ^ 2 * (turned - math.rad(30)), 2 * g * math.sin(tilt - turned), 1e-3)
        end
    end
end

function promise.the_cone_is_the_same_in_all_directions()
    local first
    for k = 0, 6 do
        local a = math.rad(51 * k)
        local scene = eigenrig.scene{gravity = {8 * math.cos(a), -4, 8 * math.sin(a)}, sleep_time = 0}
        local bob = pendulum(scene, "ball", {swing = 25})
        scene:run(0.7)
        first = first or swing(bob)
        close(swing(bob), first, 1e-6)
        scene:run(3)
        assert(swing(bob) > 25 and swing(bob) < 26, swing(bob))
    end
end

-- Along the cone nothing brakes: the angular momentum about the axis stays.
function promise.a_bob_slides_around_on_its_cone()
    local scene = eigenrig.scene{gravity = {0, 0, 0}, sleep_time = 0}
    local bob = pendulum(scene, "ball", {swing = 40})
    bob.spin = {0, 0, 2}
    scene:run(0.8)
    bob:push({0, 0, 3})
    scene:run(0.2)
    local function momentum()
        local p, v = bob.position, bob.velocity
        return p.z * v.x - p.x * v.z
    end
    local before = momentum()
    assert(math.abs(before) > 0.5)
    local least, most = 180, 0
    for _ = 1, 300 do
        scene:frame()
        least, most = math.min(least, swing(bob)), math.max(most, swing(bob))
    end
    near(momentum(), before)
    assert(least > 40 and most < 40.2, least .. " " .. most)
end

-- A rod that turns about itself stops at its twist as on a hinge along it.
function promise.a_rod_stops_at_its_twist()
    local scene = eigenrig.scene{sleep_time = 0}
    local function rod(x, type, given)
        local r = scene:actor{box = {0.2, 1, 0.1}, at = {x, -0.5, 0}, mass = 3}
        given.at, given.axis = {x, 0, 0}, {0, 1, 0}
        local joint = scene:joint(type, nil, r, given)
        r.spin = {0, 4, 0}
        return r, joint
    end
    local function twist(r)
        local q = r.orientation
        return math.deg(2 * math.atan(q.y, q.w))
    end
    local ball, joint = rod(0, "ball", {twist = {-20, 50}})
    local hinge = rod(5, "hinge", {limits = {-20, 50}})
    local most = 0
    for _ = 1, 120 do
        scene:frame()
        close(twist(ball), twist(hinge), 1e-5)
        most = math.max(most, twist(ball))
    end
    assert(most > 49.5 and most < 53, most)
    ball.spin, hinge.spin = {0, -4, 0}, {0, -4, 0}
    for _ = 1, 120 do
        scene:frame()
        close(twist(ball), twist(hinge), 1e-5)
        most = math.min(most, twist(ball))
    end
    assert(most < -19.5 and most > -23, most)
    same(joint.twist, {-20, 50})
    equal(joint.swing, nil)
end

-- A swing has no twist, so limits of the twist do not act on it.
function promise.a_swing_feels_no_limit_of_the_twist()
    local first
    for _, twist in ipairs{{-3, 3}, {-1, 1}} do
        local scene = eigenrig.scene{sleep_time = 0}
        local bob = pendulum(scene, "ball", {twist = twist})
        bob.spin = {-2, 0, 1.5}
        scene:run(2)
        first = first or bob.position
        assert(bob.velocity:length() > 0.5)
        same(bob.position, first, 1e-9)
    end
end

-- The joint that closes a ring has a cone too, as soft as a hinge's limits there.
function promise.a_ball_joint_that_closes_a_ring_has_a_cone()
    local function ring(type, given)
        local scene = eigenrig.scene{gravity = {g, 0, 0}, sleep_time = 0}
        local door = scene:actor{box = {0.5, 1, 0.5}, at = {0, -0.5, 0}, mass = 2}
        scene:joint("hinge", nil, door, {at = {0, 0, 0}, axis = {0, 0, 1}})
        given.at = {0, 0, 0}
        scene:joint(type, nil, door, given)
        return scene, door
    end
    local scene, door = ring("ball", {axis = down, swing = 30})
    local other, like = ring("hinge", {axis = {0, 0, 1}, limits = {-30, 30}})
    local most, like_most = 0, 0
    for _ = 1, 240 do
        scene:frame()
        other:frame()
        most, like_most = math.max(most, swing(door)), math.max(like_most, swing(like))
    end
    close(most, like_most, 0.1)
    assert(most > 30 and most < 36, most)
end

-- At rest against the cone the joint holds the bob's weight and its moment.
function promise.the_reaction_has_the_torque_of_the_cone()
    local scene = eigenrig.scene{gravity = {g, 0, 0}, sleep_time = 0}
    local bob, joint = pendulum(scene, "ball", {swing = 30})
    scene:run(5)
    local r = joint.reaction
    near(r.force.x, -2 * g, 1e-6)
    near(r.torque.z, 2 * g * bob.position.y, 1e-4)
    near(joint.swing, 30)
    equal(joint.twist, nil)
end

function promise.swing_and_twist_are_refused_that_cannot_be()
    local scene = eigenrig.scene{}
    fails("ball", function() pendulum(scene, "hinge", {swing = 30}) end)
    fails("ball", function() pendulum(scene, "fixed", {twist = {-1, 1}}) end)
    fails("swing", function() pendulum(scene, "ball", {swing = -1}) end)
    fails("twist", function() pendulum(scene, "ball", {twist = {1, -1}}) end)
    fails("twist", function() pendulum(scene, "ball", {twist = 3}) end)
end
