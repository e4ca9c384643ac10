-- Models, their bodies and joints, modes and matrices.
local vec3, quat = eigenrig.vec3, eigenrig.quat

function promise.a_model_says_what_its_file_says()
    local path = write_arm()
    local m = eigenrig.load(path)
    equal(m.name, "arm") equal(m.source, "") equal(m.described, nil) equal(m.height, nil) equal(#m.notes, 0) equal(#m.clips, 0)
    equal(m.mass, 7.5) equal(m.body_count, 4) equal(m.joint_count, 3) equal(m.coordinate_count, 5) equal(m.loop_count, 0)
    equal(m.damping_ratio, 0) assert(m.size > 1)
    equal(tostring(m), 'model "arm": 4 bodies, 3 joints')
    local b = m:body("hand")
    equal(b.name, "hand") equal(b.index, 1) equal(b.mass, 1) equal(b.com, vec3(0, 0.25, 0)) equal(b.position, vec3(1, 1, 0))
    close(b.orientation.y, math.sqrt(0.5)) close(b.orientation.w, math.sqrt(0.5))
    equal(tostring(b), 'body "hand": 1.0 kg')
    local inertia = m:body(0).inertia
    for i = 1, 3 do for k = 1, 3 do equal(inertia[i][k], i == k and i / 10 or 0) end end
    equal(#inertia, 3) equal(#inertia[1], 3)
    equal(m:body("upper").parent, nil) equal(m:body("stone").parent, nil) equal(m:body("stone").joint, nil)
    equal(m:body("slide").parent, b) equal(m:body("slide").joint, m:joint("drawer"))
    equal(m:body("upper").joint, m:joint("shoulder"))
    assert(m:body(0) ~= m:body(1) and m:body(1) ~= m:joint(1) and m:joint(0) ~= m:joint(1) and m:joint(1) == m:joint("wrist"))
    assert(m:body(1) ~= eigenrig.load(path):body(1) and m:joint(1) ~= eigenrig.load(path):joint(1))
end

function promise.an_inertia_has_its_entries_in_their_places()
    local want = {{1, 0.0625, 0.125}, {0.0625, 1.5, 0.25}, {0.125, 0.25, 1.25}}
    local got = eigenrig.load(write_rig("oblique", {{inertia = want}}, {})):body(0).inertia
    for i = 1, 3 do same(got[i], want[i], 0) end
end

function promise.a_joint_says_what_its_file_says()
    local m = eigenrig.load(write_arm())
    local shoulder, wrist, drawer = m:joint(0), m:joint(1), m:joint(2)
    equal(wrist.name, "wrist") equal(wrist.index, 1) equal(wrist.type, "spherical") equal(shoulder.type, "revolute")
    equal(shoulder.parent, nil) equal(wrist.parent, m:body(0)) equal(wrist.child, m:body(1)) equal(drawer.child.name, "slide")
    equal(wrist.position, vec3(1, 1, 0)) close(wrist.orientation.x, math.sqrt(0.5)) equal(wrist.closes_loop, false)
    same(wrist.axis, {0, -1, 0}) -- z, turned by a right angle about x
    same(shoulder.axis, {0, 0, 1})
    equal(table.concat(wrist.freedom, " "), "tx ty tz") equal(table.concat(shoulder.freedom, " "), "tz")
    equal(table.concat(drawer.freedom, " "), "z")
    same(wrist.stiffness, {3, 4, 5}, 0) same(wrist.damping, {0.1, 0.2, 0.3}, 0) same(shoulder.stiffness, {50}, 0)
    same(shoulder.damping, {0.5}, 0)
    same(shoulder.limits[1], {math.deg(-1), math.deg(2)}) equal(#shoulder.limits, 1) equal(#wrist.limits, 3)
    same(wrist.limits[1], {math.deg(-0.5), math.deg(0.25)}) same(wrist.limits[3], {math.deg(-1), math.deg(1)})
    equal(wrist.limits[2][1], -math.huge) equal(wrist.limits[2][2], math.huge)
    same(drawer.limits[1], {-0.25, 0.5}, 0) -- metres
    equal(tostring(drawer), 'joint "drawer": prismatic')
end

function promise.a_ball_joint_gets_limits_of_its_swing_and_twist()
    local m = eigenrig.load(write_arm())
    local wrist = m:joint("wrist")
    equal(wrist.swing, math.huge) equal(wrist.twist[1], -math.huge) equal(wrist.twist[2], math.huge)
    wrist.swing = 40
    wrist.twist = {-20, 30}
    m:save(folder .. "/limited.json")
    for _, now in ipairs{wrist, eigenrig.load(folder .. "/limited.json"):joint("wrist")} do
        near(now.swing, 40) near(now.twist[1], -20) near(now.twist[2], 30)
    end
    m:joint("shoulder").swing = 40 -- a hinge has none
    equal(m:joint("shoulder").swing, math.huge)
    wrong(wrist, "it.swing = -1", "swing")
    wrong(wrist, "it.twist = {2, 1}", "twist")
end

-- For a joint that moves alone: all its descendants turn about its axis.
function promise.a_joint_alone_swings_at_its_hz()
    local m = eigenrig.load(write_rig("lone", {{mass = 2, com = {0.5, 0, 0}, inertia = {0.1, 0.2, 0.3}},
        {mass = 8, position = {9, 0, 0}}},
        {{child = 0, type = "revolute", stiffness = {50}}, {child = 1, type = "prismatic", position = {9, 0, 0},
            stiffness = {32}}}))
    near(m:joint(0).hz, math.sqrt(50 / (0.3 + 2 * 0.25)) / (2 * math.pi)) near(m:joint(1).hz, 2 / (2 * math.pi))
    local modes = m:modes()
    near(modes[0].frequency_hz, m:joint(1).hz) near(modes[1].frequency_hz, m:joint(0).hz)
    near(modes[1].eigenvalue, 50 / 0.8)
    m:joint(0).hz = 3
    near(m:joint(0).hz, 3) near(m:joint(0).stiffness[1], 0.8 * (6 * math.pi) ^ 2) equal(m:joint(1).stiffness[1], 32)
    m:joint(0).stiffness = 0
    equal(m:joint(0).hz, 0)
    m:joint(0).type = "fixed"
    equal(m:joint(0).hz, 0) equal(#m:joint(0).freedom, 0)
    local arm = eigenrig.load(write_arm())
    arm:joint("wrist").stiffness = {tx = 100, ty = 1, tz = 100}
    local softest = arm:joint("wrist").hz
    arm:joint("wrist").stiffness = {tx = 100, ty = 1, tz = 0.5}
    assert(arm:joint("wrist").hz < softest)
    -- turns are what counts, where there are any, whatever its shifts are
    local screw = eigenrig.load(write_rig("screw", {{mass = 8, inertia = {2, 2, 2}}},
        {{child = 0, type = "cylindrical", stiffness = {200, 1}}}))
    equal(table.concat(screw:joint(0).freedom, " "), "tz z")
    near(screw:joint(0).hz, 10 / (2 * math.pi))
end

function promise.lists_are_set_as_they_are_read()
    local m = eigenrig.load(write_arm())
    local wrist = m:joint("wrist")
    wrist.stiffness = {7, 8, 9}
    wrist.damping = {1, 0, 2}
    equal(table.concat(wrist.stiffness, " "), "7.0 8.0 9.0") equal(table.concat(wrist.damping, " "), "1.0 0.0 2.0")
    wrist.stiffness = wrist.stiffness
    equal(wrist.stiffness[3], 9)
    local right, told = pcall(function() wrist.stiffness = {1, 2} end)
    assert(not right and told:find("wrist", 1, true)) equal(wrist.stiffness[1], 7)
    local count = 0
    for i, mode in ipairs(m:modes():list()) do
        count = count + 1
        equal(mode.index, m:modes().first + i - 1)
    end
    equal(count, #m:modes())
    m:change{root = "fixed"}
    equal(wrist.stiffness[2], 8)
end

function promise.fields_that_are_set_change_the_model()
    local m = eigenrig.load(write_arm())
    local old, body, joint = m:modes(), m:body("hand"), m:joint("wrist")
    equal(old.stale, false) assert(rawequal(m:modes(), old))
    body.mass = 3
    equal(body.mass, 3) equal(m.mass, 9.5) equal(m:body("slide").mass, 0.5) equal(old.stale, true)
    assert(not rawequal(m:modes(), old))
    near(body.inertia[3][3], 0.075) -- grows with it
    m.mass = 19
    near(m.mass, 19) near(body.mass, 6)
    m.damping_ratio = 0.25
    equal(m.damping_ratio, 0.25)
    joint.stiffness = 7
    same(joint.stiffness, {7, 7, 7}) same(m:joint("shoulder").stiffness, {50})
    joint.damping = {tx = 1, ty = 2, tz = 3}
    same(joint.damping, {1, 2, 3})
    joint.limits = {tx = {-10, 20}, ty = {-30, 40}, tz = {-50, 60}}
    same(joint.limits[2], {-30, 40}, 1e-9)
    joint.type = "revolute" joint.axis = "x"
    equal(joint.type, "revolute") same(joint.axis, {1, 0, 0}, 1e-9)
    wrong(m, "it:joint('wrist').type = 'screw'", "pitch")
    equal(m:change{joints = {wrist = {type = "screw", pitch = 0.02}}}, m)
    equal(joint.type, "screw") equal(joint.pitch, 0.02) equal(#joint.freedom, 1)
    joint.pitch = -0.01
    equal(joint.pitch, -0.01)
    joint.type = "revolute"
    wrong(m, "it.mass = 0", "mass") wrong(m, "it.mass = -1", "mass")
    wrong(m, "it:body(0).mass = 0", "mass") wrong(m, "it.damping_ratio = -0.1", "ratio")
    m.damping_ratio = 0
    equal(m.damping_ratio, 0)
    wrong(m, "it:joint(0).hz = 'x'", "number")
    wrong(m, "it:joint(0).index = 1", "index")
    wrong(m, "it:body(0).nam = 1", "nam")
    wrong(m, "it.mas = 1", "mass")
    wrong(m, "it.stiffness = 1", 'model:change{stiffness = "graded:2"}')
    wrong(m, "return it:body(0).weight", "mass")
    equal(m:change{joints = {wrist = {stiffness = 9}}}, m) equal(m:joint("wrist").stiffness[1], 9)
    fails("table", m.change, m, 3)
end

function promise.bodies_and_joints_are_found_by_name_pattern_and_index()
    local m = eigenrig.load(write_arm())
    local function names(list)
        local words = {}
        for i, part in ipairs(list) do words[i] = part.name end
        return table.concat(words, " ")
    end
    equal(names(m:bodies()), "upper hand slide stone") equal(names(m:bodies("s*")), "slide stone")
    equal(names(m:bodies("x*")), "")
    equal(names(m:joints()), "shoulder wrist drawer") equal(names(m:joints("?r*")), "wrist drawer")
    equal(m:body(0).name, "upper") equal(m:body(3).name, "stone") equal(m:joint(2).name, "drawer")
    fails("0 to 3", m.body, m, 4) fails("0 to 3", m.body, m, -1)
    fails("0 to 2", m.joint, m, 3)
    fails("hand", m.body, m, "hend")
    fails("wrist", m.joint, m, "wirst")
    local why = fails("qqqq", m.body, m, "qqqq")
    assert(not why:find("patterns"), why)
    for _, pattern in ipairs{"zz*", "zz?", "[zz"} do fails("joints()", m.body, m,
        pattern) end
    fails("number", m.body, m, 1.5) fails("string", m.body, m, {})
    local twins = eigenrig.load(write_rig("twins", {{name = "one"}, {name = "one"}, {name = "other"}}, {}))
    fails("one", twins.body, twins, "one") equal(twins:body("other").index, 2)
end

function promise.poses_at_equilibrium_are_the_bodies_places()
    local m = eigenrig.load(write_arm())
    local pose = m:pose()
    equal(#pose, 4)
    for i, place in ipairs(pose) do
        local b = m:body(i - 1)
        equal(place.index, i - 1) equal(place.name, b.name) equal(place.position, b.position)
        equal(place.orientation, b.orientation)
    end
    local position, orientation = m:pose("hand")
    equal(position, vec3(1, 1, 0)) equal(orientation, m:body("hand").orientation)
    equal((m:pose(3)), vec3(5, 2, 3)) equal((m:pose(0)), vec3(0, 1, 0))
    fails("index", m.pose, m, 4) fails("index", m.pose, m, -1)
    fails("hand", m.pose, m, "hend")
end

function promise.modes_are_counted_found_and_looped_over()
    local m = eigenrig.load(write_arm())
    local modes = m:modes()
    equal(modes.count, 11) equal(#modes, 11) equal(modes.first, 0) equal(modes.dof, 11) equal(modes.rigid_count, 6)
    equal(modes.mechanism_count, 0)
    equal(tostring(modes), "modes 0 to 10 of 11")
    local seen = 0
    for index, mode in pairs(modes) do
        equal(index, seen) equal(mode.index, index) equal(mode.kind, index < 6 and "rigid" or "elastic")
        near(mode.eigenvalue, (2 * math.pi * mode.frequency_hz) ^ 2)
        seen = seen + 1
    end
    equal(seen, 11)
    equal(modes[11], nil) equal(modes[-1], nil) equal(modes[1.5], nil) equal(modes[2 ^ 40], nil) equal(modes[6.0].index, 6)
    equal(tostring(modes[7]), ("mode 7: elastic, %.4f Hz"):format(modes[7].frequency_hz))
    assert(modes[10].damping_ratio > 0 and modes[6].frequency_hz <= modes[7].frequency_hz)
    for _, count in ipairs{1, 3, 5} do
        equal(m:modes(count).count, 6 + count) equal(m:modes{count = count}.count, 6 + count)
    end
    equal(m:modes(99).count, 11)
    fails("1 to 1000000000", m.modes, m, 0) fails("1 to", m.modes, m, 1000000001)
    fails("count", m.modes, m, {count = 0})
    local hz = modes[8].frequency_hz
    local some = m:modes{min_hz = 0.999 * hz}
    equal(some.first, 8) equal(some.count, 3) equal(tostring(some), "modes 8 to 10 of 11") equal(some[7], nil)
    near(some[8].frequency_hz, hz)
    local at = 8
    for index, mode in pairs(some) do equal(index, at) equal(mode.index, at) at = at + 1 end
    equal(at, 11)
    equal(m:modes{max_hz = 1.001 * hz}.count, 9)
    for _, method in ipairs{"qr", "svd", "tree", "sparse"} do equal(m:modes{method = method}.method, method) end
    fails("method", m.modes, m, {method = "qz"})
    for _, name in ipairs{"constraint", "gram", "pencil"} do local x = modes.residuals[name] assert(x >= 0 and x < 1e-9, name) end
    local exact = m:modes{method = "svd"}.residuals
    assert(exact.gram ~= exact.constraint and exact.pencil ~= exact.gram and exact.damped ~= nil)
    local told = {}
    m:modes{count = 4, method = "sparse", progress = function(found, wanted) told[#told + 1] = {found, wanted} end}
    assert(#told > 0)
    for i, t in ipairs(told) do assert(t[1] <= t[2] and (i == 1 or t[1] >= told[i - 1][1])) end
    fails("progress", m.modes, m, {progress = 3})
end

-- Two pendulums that know nothing of each other: each mode is of one, and moves it by the square root of 1/I.
function promise.a_mode_says_who_moves_and_how_far()
    local m = eigenrig.load(write_rig("two", {
        {name = "a", mass = 2, com = {0.5, 0, 0}, inertia = {0.1, 0.2, 0.3}},
            {name = "b", mass = 1, position = {4, 0, 0}, inertia = {1, 1, 2}}},
        {{name = "slow", child = 1, type = "revolute", position = {4, 0, 0}, stiffness = {8}, damping = {0.4}},
            {name = "fast", child = 0, type = "revolute", stiffness = {80}}}))
    local modes = m:modes()
    local slow, fast = modes[0], modes[1]
    near(slow.eigenvalue, 4) near(fast.eigenvalue, 100) near(slow.damping_ratio, 0.4 / (2 * 2 * 2)) equal(fast.damping_ratio, 0)
    near(slow.damped_hz, math.sqrt(1 - 0.05 ^ 2) / math.pi) near(fast.damped_hz, 10 / (2 * math.pi))
    local row = fast.body
    equal(#row, 2) equal(#row[1], 6) close(math.abs(row[1][3]), 1 / math.sqrt(0.8), 1e-9)
    for b = 1, 2 do for k = 1, 6 do if b ~= 1 or k ~= 3 then close(row[b][k], 0, 1e-9) end end end
    close(math.abs(slow.body[2][3]), 1 / math.sqrt(2), 1e-9)
    equal(#slow.joint, 2) equal(#slow.joint[1], 1) close(math.abs(slow.joint[1][1]), 1 / math.sqrt(2), 1e-9)
    close(slow.joint[2][1], 0, 1e-9)
    same(slow:joint_shares(), {1, 0}, 1e-9) same(fast:joint_shares(), {0, 1}, 1e-9)
    same(slow:joint_travel(), {1 / math.sqrt(2), 0}, 1e-9) same(fast:joint_travel(), {0, 1 / math.sqrt(0.8)}, 1e-9)
    same(slow:body_shares(), {0, 1}, 1e-9) same(fast:body_shares(), {1, 0}, 1e-9)
    equal(#slow:effective_mass(), 6) assert(slow:effective_mass()[3] > 0)
    equal(slow:movers(1)[1], "slow") equal(fast:movers(1)[1], "fast") equal(#fast:movers(0), 0) assert(#fast:movers() <= 2)
end

-- The kinetic energy of each body, by its block of M.
function promise.shares_of_bodies_are_those_of_the_mass_matrix()
    local m = eigenrig.load(write_arm())
    local M, modes = m:matrices().M, m:modes()
    for index = 6, 10 do
        local mode, want, whole = modes[index], {0, 0, 0, 0}, 0
        for k, x in ipairs(M.value) do
            local b, c = M.row[k] // 6, M.column[k] // 6
            equal(b, c)
            local part = x * mode.body[b + 1][M.row[k] % 6 + 1] * mode.body[b + 1][M.column[k] % 6 + 1]
            want[b + 1], whole = want[b + 1] + part, whole + part
        end
        near(whole, 1, 1e-9) same(mode:body_shares(), want, 1e-9)
        local sum = 0
        for _, share in ipairs(mode:joint_shares()) do sum = sum + share end
        near(sum, 1)
        local travel, names = mode:joint_travel(), {}
        for k = 1, 3 do names[k] = {travel[k], m:joint(k - 1).name} end
        table.sort(names, function(a, b) return a[1] > b[1] end)
        local movers = mode:movers()
        equal(#movers, 3)
        for k = 1, 3 do equal(movers[k], names[k][2]) end
        equal(#mode:movers(2), 2) equal(#mode:movers(9), 3)
        equal(#mode.joint[2], 3) equal(#mode.joint[1], 1)
        close(math.sqrt(mode.joint[2][1] ^ 2 + mode.joint[2][2] ^ 2 + mode.joint[2][3] ^ 2), travel[2], 1e-9)
    end
end

local function dense(t)
    local a = {}
    for i = 1, t.rows do a[i] = {} for k = 1, t.columns do a[i][k] = 0 end end
    for n, x in ipairs(t.value) do a[t.row[n] + 1][t.column[n] + 1] = a[t.row[n] + 1][t.column[n] + 1] + x end
    return a
end

function promise.matrices_are_those_of_the_joints()
    local path = write_arm()
    local m = eigenrig.load(path)
    local all = m:matrices()
    local M, K, C, R = dense(all.M), dense(all.K), dense(all.C), all.R
    equal(all.M.rows, 24) equal(all.M.columns, 24) equal(#all.M.row, #all.M.value) equal(#all.M.column, #all.M.value)
    equal(M[4][4], 2) equal(M[6][6], 2) close(M[3][3], 0.3 + 2 * 0.25) close(M[2][2], 0.2 + 0.5) close(M[1][1], 0.1)
    equal(M[22][22], 4)
    same({K[1][1], K[2][2], K[3][3], K[4][4], K[5][5]}, {50, 3, 4, 5, 80}, 0)
    same({C[1][1], C[2][2], C[3][3], C[4][4], C[5][5]}, {0.5, 0.1, 0.2, 0.3, 0}, 0)
    equal(all.K.rows, 5) equal(all.K.columns, 5) equal(R.rows, 5) equal(R.columns, 24) equal(all.G.columns, 24)
    equal(all.G.rows, 5 + 3 + 5)
    equal(all.N.rows, 24) equal(all.N.columns, 11) equal(#all.motions, 11) equal(#all.rates, 5) equal(#all.constraints, 13)
    local function words(list)
        local text = {}
        for i, one in ipairs(list) do text[i] = (one.joint and "j" .. one.joint or one.root and "r" .. one.root
            or "-") .. (one.axis or "") end
        return table.concat(text, " ")
    end
    equal(words(all.rates), "j0tz j1tx j1ty j1tz j2z")
    local counts = {}
    for _, one in ipairs(all.constraints) do counts[one.joint] = (counts[one.joint] or "") .. one.axis .. " " end
    local function sorted(text)
        local list = {}
        for word in text:gmatch("%S+") do list[#list + 1] = word end
        table.sort(list)
        return table.concat(list, " ")
    end
    equal(sorted(counts[0]), "tx ty x y z") equal(sorted(counts[1]), "x y z") equal(sorted(counts[2]), "tx ty tz x y")
    equal(sorted(words(all.motions)), "j0tz j1tx j1ty j1tz j2z r3tx r3ty r3tz r3x r3y r3z")
    -- the columns of N keep the joints together, at any pose, and differ between poses
    local moved = m:mix{mode = 8, degrees = 20}:motion():pose(0.01)
    local most = 0
    for _, pose in ipairs{m:pose(), moved} do
        local at = m:matrices(pose)
        local G, N = dense(at.G), dense(at.N)
        for i = 1, 13 do for k = 1, 11 do
            local sum = 0
            for n = 1, 24 do sum = sum + G[i][n] * N[n][k] end
            close(sum, 0, 1e-12)
        end end
        for i = 1, 24 do for k = 1, 11 do most = math.max(most, math.abs(N[i][k] - dense(all.N)[i][k])) end end
    end
    assert(most > 1e-3)
    local loop = eigenrig.load(models .. "four_bar.json"):matrices()
    equal(#loop.motions, 1) equal(loop.motions[1].axis, nil) equal(loop.motions[1].joint, nil) -- of joints together
    fails("body", m.matrices, m, {})
    fails("body", m.matrices, m, {1, 2, 3, 4, 5})
    fails("table", m.matrices, m, {1, 2, 3, 4})
    local pose = m:pose()
    pose[2] = {position = {1, 2}, orientation = {1, 0, 0, 0}}
    fails("orientation", m.matrices, m, pose)
    pose[2] = {position = {1, 2, 3}}
    fails("orientation", m.matrices, m, pose)
    fails("table", m.matrices, m, 3)
    local file = folder .. "/m.npz"
    m:save_matrices(file)
    local still = read(file)
    m:save_matrices(file, moved)
    assert(read(file) ~= still)
    m:save_matrices(file, m:pose())
    assert(read(file) == still and still:sub(1, 2) == "PK")
    fails("table", m.save_matrices, m, file, 3) fails(".npz", m.save_matrices, m, folder .. "/m.csv")
end

function promise.files_of_modes_are_of_their_endings()
    local m = eigenrig.load(write_arm())
    local modes = m:modes()
    modes:save(folder .. "/modes.json")
    local file = eigenrig.json.decode(read(folder .. "/modes.json"))
    equal(#file.modes, 11) near(file.modes[8].frequency_hz, modes[7].frequency_hz)
    modes:save(folder .. "/modes.csv") modes:plot(folder .. "/modes.svg")
    assert(read(folder .. "/modes.csv"):find("elastic"))
    local plain = read(folder .. "/modes.svg")
    assert(plain:find("<svg"))
    modes:plot(folder .. "/none.svg", 0)
    assert(#read(folder .. "/none.svg") < #plain)
    modes:plot(folder .. "/all.svg", 12)
    assert(read(folder .. "/all.svg") == plain)
    modes:plot(folder .. "/all.svg", 400)
    fails("0 to 400", modes.plot, modes, folder .. "/x.svg", 401)
    fails("0 to 400", modes.plot, modes, folder .. "/x.svg", -1)
    fails(".svg", modes.plot, modes, folder .. "/x.png")
    fails(".json", modes.save, modes, folder .. "/x.foo")
    assert(not eigenrig.files.exists(folder .. "/x.svg"))
    m:save(folder .. "/again.json")
    equal(eigenrig.load(folder .. "/again.json"):joint("wrist").stiffness[2], 4)
    fails("model:export(", m.save, m, folder .. "/x.glb")
    fails("nodes", m.save_pose, m, folder .. "/p.json")
    fails("change()", m.build, m, {})
end

function promise.what_is_closed_says_so()
    local m = eigenrig.load(write_arm())
    local modes, mode, body, joint, mix = m:modes(), m:modes()[7], m:body(0), m:joint(0), m:mix("7:5")
    local motion = mix:motion()
    equal(tostring(m:mix("7:5")), 'mix "mix 7": 1 component')
    motion:close()
    equal(tostring(motion), "motion (closed)") wrong(motion, "return it.duration", "motion")
    mix:close()
    equal(tostring(mix), "mix (closed)") wrong(mix, "return it.name", "mix")
    local again = m:modes(2)
    again:close()
    equal(tostring(again), "modes (closed)") wrong(again, "return it.count", "model")
    local second = m:mix("7:5"):motion()
    m:close()
    equal(tostring(m), "model (closed)")
    wrong(m, "return it.mass", "model") wrong(m, "it:change{}", "model")
    wrong(body, "return it.mass", "model")
    wrong(joint, "return it.name", "model") wrong(mode, "return it.kind", "model")
    wrong(modes, "return it.count", "model")
    wrong(second, "return it.duration", "motion")
    wrong(modes, "for _ in pairs(it) do end", "closed") equal(body.index, 0)
    m:close()
    do
        local scoped <close> = eigenrig.load(write_arm())
        mode = scoped:modes()[7]
    end
    wrong(mode, "return it.kind", "closed")
end

function promise.files_that_are_none_are_answered()
    fails("missing.json", eigenrig.load, folder .. "/missing.json")
    fails("#2", eigenrig.load, "x", 2) fails("#1", eigenrig.load)
    local path = write_arm()
    fails("rot", eigenrig.load, path, {rot = 1})
    local m = eigenrig.load(path, {damping = 0.5})
    equal(m.damping_ratio, 0.5)
    equal(eigenrig.load(path, {mass = 15}).mass, 15)
    wrong(m, "return it:jonits()", "joints")
    wrong(m, "return it.bones", "model:bodies()")
    wrong(m, "return it:modes().frist", "first")
    wrong(m, "return it:modes()[7].hz", "frequency_hz")
    wrong(m, "return it:modes().table", "for index, mode in pairs(model:modes())")
    wrong(m, "return it:joint(0).frequency", "hz")
    wrong(m, "return it:mix('7:3').export", 'model:export("out.glb", mix)')
end
