-- Limits, poses and plants, which scripts and commands share.
local vec3, quat = eigenrig.vec3, eigenrig.quat

function promise.joints_end_at_their_limits_where_that_is_asked()
    local function farthest(limits)
        local bar = eigenrig.load(write_rig("bar", {{name = "a", com = {1, 0, 0}}},
            {{name = "pin", child = 0, type = "revolute", limits = {{-0.5, 0.25}}, stiffness = {0}}}))
        local s = bar:simulate{duration = 0.5, fps = 50, gravity = 0, push = {"pin:0,2,0@0"}, limits = limits}
        local most = 0
        for k = 1, #s do most = math.max(most, math.rad(select(2, select(2, s:pose(k, "a")):turn()))) end
        return most
    end
    close(farthest(true), 0.25, 0.02) near(farthest(false), 0.5, 0.02)
end

-- The pin's z is its axis: a push along y twists, one along z swings.
function promise.ball_joints_end_at_their_swing_and_twist_where_that_is_asked()
    for _, along in ipairs{"0,2,0", "0,0,2"} do
        local function farthest(limits)
            local bar = eigenrig.load(write_rig("bar", {{name = "a", com = {1, 0, 0}}},
                {{name = "pin", child = 0, type = "spherical", stiffness = {0, 0, 0}}}))
            bar:joint("pin").swing, bar:joint("pin").twist = math.deg(0.25), {math.deg(-0.5), math.deg(0.25)}
            local s = bar:simulate{duration = 0.5, fps = 50, gravity = 0, push = {"pin:" .. along .. "@0"}, limits = limits}
            local most = 0
            for k = 1, #s do most = math.max(most, math.rad(select(2, select(2, s:pose(k, "a")):turn()))) end
            return most
        end
        close(farthest(true), 0.25, 0.02) near(farthest(false), 0.5, 0.02)
    end
end

-- ---- Poses

function promise.places_are_set_by_body_and_carry_what_hangs_on_them()
    local m = eigenrig.load(write_walker())
    told()
    local posed = m:build{pose = {Spine = {turn = {0, 0, 30}}, {index = m:body("LeftLeg").index, position = {0.2, 0.5, 0.3}}}}
    same(posed:pose("Hips"), m:pose("Hips"), 1e-9) same(posed:pose("Spine"), m:pose("Spine"), 1e-9)
    close(select(2, (select(2, posed:pose("Spine")) * select(2, m:pose("Spine")):inverse()):turn()), 30, 1e-4)
    same(posed:pose("LeftLeg"), {0.2, 0.5, 0.3}, 1e-9)
    same(posed:pose("LeftFoot") - posed:pose("LeftLeg"), m:pose("LeftFoot") - m:pose("LeftLeg"), 1e-9)
    same(posed:pose("RightFoot"), m:pose("RightFoot"), 1e-9)
    local turned = m:build{pose = {Hips = {position = {1, 2, 3}, turn = {0, 90, 0}}}}
    for i, place in ipairs(m:pose()) do
        same(turned:pose()[i].position, quat({0, 1, 0}, 90) * (place.position - m:pose("Hips")) + vec3(1, 2, 3), 1e-9)
    end
    local faced = m:build{pose = {Spine = {orientation = {0, 1, 0, 0}}}}
    same({math.abs(select(2, faced:pose("Spine")).x)}, {1}, 1e-9)
    fails("pose", m.build, m, {pose = {{index = 99}}})
    fails("Spine", m.build, m, {pose = {{index = 0, name = "Spine"}}})
    fails("Spine", m.build, m, {pose = {Spin = {}}})
    equal(m:build{pose = {{index = 7, name = m:body(7).name}}}.body_count, 8)
    local same_again = m:build{pose = m:mix("9:10"):motion():pose(0.2)}
    for i, place in ipairs(same_again:pose()) do same(place.position, m:mix("9:10"):motion():pose(0.2)[i].position, 1e-9) end
    told()
end

-- ---- Plants

function promise.what_is_planted_stays_and_names_that_are_none_are_answered()
    local m = eigenrig.load(write_walker(), {feet = "*Foot"})
    told()
    local mix = m:mix("9:2")
    local function way(plant, body)
        local motion, most = mix:motion{plant = plant}, 0
        for i = 0, 8 do most = math.max(most, (motion:pose(motion.duration * i / 8, body) - m:pose(body)):length()) end
        return most
    end
    local free = way("none", "LeftFoot")
    assert(way("feet", "LeftFoot") < 0.25 * free and way("feet", "RightFoot") < 0.25 * way("none", "RightFoot"))
    assert(way("Hips", "Hips") < 1e-6 and way({"Hips"}, "Hips") < 1e-6 and way("Spine", "LeftFoot") > 0.25 * free)
    equal(way("Sp*", "Spine"), way("Spine", "Spine")) assert(way("Spine", "Spine") ~= way("none", "Spine"))
    close(way("", "LeftFoot"), free, 1e-12)
    fails("feet", mix.motion, mix, {plant = "foot"})
    fails("LeftFoot", mix.motion, mix, {plant = "Hips,LeftFot"})
    fails("plant", mix.motion, mix, {plant = "*"})
    local none = eigenrig.load(write_pendulums())
    local swing = none:mix("0:10")
    fails("plant", swing.motion, swing, {plant = "feet"})
end
