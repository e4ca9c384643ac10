-- Vectors, quaternions, JSON and the words of the module.
local vec3, quat, json = eigenrig.vec3, eigenrig.quat, eigenrig.json

function promise.vectors_calculate_as_on_paper()
    local a, b = vec3(1, 2, 4), vec3{8, 16, 32}
    equal(a.x, 1) equal(a.y, 2) equal(a.z, 4)
    equal(a + b, vec3(9, 18, 36)) equal(b - a, vec3(7, 14, 28)) equal(a + {1, 1, 1}, vec3(2, 3, 5))
    equal({1, 1, 1} - a, vec3(0, -1, -3))
    equal(3 * a, vec3(3, 6, 12)) equal(a * 3, vec3(3, 6, 12)) equal(b / 8, vec3(1, 2, 4)) equal(-a, vec3(-1, -2, -4))
    equal(a:dot{3, 5, 7}, 3 + 10 + 28)
    equal(a:cross{3, 5, 7}, vec3(2 * 7 - 4 * 5, 4 * 3 - 1 * 7, 1 * 5 - 2 * 3))
    equal(vec3(2, 3, 6):length(), 7) same(vec3(2, 3, 6):unit(), {2 / 7, 3 / 7, 6 / 7}, 1e-16)
    same(a:totable(), {1, 2, 4}, 0) equal(tostring(vec3(1, -2.5, 1 / 3)), "(1, -2.5, 0.333333)")
    equal(vec3(a), a)
    for _, other in ipairs{vec3(0, 2, 4), vec3(1, 0, 4), vec3(1, 2, 0)} do assert(a ~= other) end
    assert(a ~= quat(1, 0, 0, 0) and quat(1, 0, 0, 0) ~= a)
    wrong(a, "it.x = 2", "x")
    wrong(a, "return it + 1", "vec3") wrong(a, "return it * it", "number")
    wrong(a, "return it / it", "number")
    fails("direction", vec3(0, 0, 0).unit, vec3(0, 0, 0))
    fails("#2", vec3, 1, "a", 3) fails("#3", vec3, 1, 2) fails("vec3", vec3, {1, 2})
end

function promise.quaternions_turn_as_they_say()
    local q = quat(2, 4, 5, 6) -- made unit: |q| = 9
    close(q.w, 2 / 9) close(q.x, 4 / 9) close(q.y, 5 / 9) close(q.z, 6 / 9)
    same(q:totable(), {2 / 9, 4 / 9, 5 / 9, 6 / 9}) same(q:inverse():totable(), {2 / 9, -4 / 9, -5 / 9, -6 / 9})
    same(quat{2, 4, 5, 6}:totable(), q:totable())
    local z90, x90 = quat({0, 0, 2}, 90), quat({1, 0, 0}, 90)
    same(z90 * vec3(1, 0, 0), {0, 1, 0}) same(z90 * {0, 1, 0}, {-1, 0, 0})
    same((x90 * z90) * vec3(1, 0, 0), {0, 0, 1}) -- z first, then x
    same((z90 * x90) * vec3(1, 0, 0), {0, 1, 0})
    local axis, degrees = quat({0, 3, 4}, 70):turn()
    same(axis, {0, 0.6, 0.8}) close(degrees, 70)
    axis, degrees = quat(1, 0, 0, 0):turn()
    same(axis, {0, 0, 1}) equal(degrees, 0)
    close(select(2, quat({0, 1, 0}, 10):slerp(quat({0, 1, 0}, 50), 0.25):turn()), 20)
    equal(tostring(quat(0.5, 0.5, -0.5, 0.5)), "(0.5; 0.5, -0.5, 0.5)")
    local half = quat(1, 1, 1, 1)
    equal(half, quat(1, 1, 1, 1))
    for _, other in ipairs{quat(-1, 1, 1, 1), quat(1, -1, 1, 1), quat(1, 1, -1, 1),
        quat(1, 1, 1, -1)} do assert(half ~= other) end
    fails("direction", quat, {0, 0, 0}, 90) fails("quat", quat, {1, 2, 3})
    fails("number", quat, 1, 2, 3)
    wrong(q, "return it * 3", "quat")
end

function promise.json_is_written_short_and_sorted()
    equal(json.encode{b = {1, 2.5, true, false, eigenrig.null}, a = "\u{e9}", c = {}, d = {e = {f = 1}}},
        '{"a":"\u{e9}","b":[1,2.5,true,false,null],"c":[],"d":{"e":{"f":1}}}')
    equal(json.encode({1, {a = 2}}, 2), '[\n  1,\n  {\n    "a": 2\n  }\n]')
    equal(json.encode(nil), "null") equal(json.encode("a\0b"), '"a\\u0000b"') equal(json.encode(3), "3")
    equal(json.encode(2.0), "2.0")
    for number, text in pairs{[0.1] = "0.1", [-0.3] = "-0.3", [1 / 3] = "0.3333333333333333", [1e300] = "1e+300",
        [1e23] = "1e+23",
            [1e-7] = "1e-07", [2.0 ^ 70] = "1.1805916207174113e21", [math.pi] = "3.141592653589793",
            [0.1 + 0.2] = "0.30000000000000004", [100000000000000.1] = "100000000000000.1", [-2.5e-300] = "-2.5e-300"} do
        equal(json.encode(number), text)
        equal(json.encode{["0.10000000000000001\\\""] = {number, 7}}, '{"0.10000000000000001\\\\\\"":[' .. text .. ",7]}")
    end
    equal(json.encode(12345678901234567), "12345678901234567") -- an integer has all its digits
    equal(json.encode{"1.10000000000000009", 1.1}, '["1.10000000000000009",1.1]')
    fails("0 to 31", json.encode, 1, 32) fails("0 to 31", json.encode, 1, -1)
    equal(json.encode({1}, 31), "[\n" .. (" "):rep(31) .. "1\n]")
    fails("#1", json.encode)
end

function promise.tables_that_are_neither_list_nor_object_are_refused()
    local deep = {}
    deep[1] = deep
    fails("200", json.encode, deep)
    local chain, last = {}, nil
    last = chain
    for _ = 1, 199 do last[1] = {} last = last[1] end
    equal(#json.encode(chain), 400)
    last[1] = {}
    fails("200", json.encode, chain)
    deep = {} deep.a = deep
    fails("200", json.encode, deep)
    fails("1.5", json.encode, {[1.5] = 1}) fails("1", json.encode, {1, x = 1})
    fails("key", json.encode, {1, [3] = 3}) fails("0", json.encode, {[0] = 1})
    fails("true", json.encode, {[true] = 1})
    fails("number", json.encode, 0 / 0) fails("inf", json.encode, {math.huge})
    fails("function", json.encode, {print}) fails("userdata", json.encode, io.stdout)
    fails("UTF-8", json.encode, "\xff") fails("UTF-8", json.encode, {["\xff"] = 1})
end

function promise.json_is_read_to_what_it_says()
    local t = json.decode('{"list": [1, 2.5, true, false, null, "a b"], "in": {"e": -7}, "none": []}')
    equal(#t.list, 6) equal(t.list[1], 1) equal(math.type(t.list[1]), "integer") equal(t.list[2], 2.5) equal(t.list[3], true)
    equal(t.list[4], false) equal(t.list[5], eigenrig.null) equal(t.list[6], "a b") equal(t["in"].e, -7) equal(#t.none, 0)
    equal(json.decode("3.0"), 3.0) equal(math.type(json.decode("3.0")), "float") equal(json.decode('"x"'), "x")
    fails("line 2", json.decode, "[1,\n]") fails("line 1", json.decode, '{"a":1,"a":2}')
    fails("line", json.decode, "") fails("line", json.decode, ("["):rep(5000))
    math.randomseed(7)
    for _ = 1, 500 do
        local x = string.unpack("d", string.pack("I8", math.random(0)))
        if x == x and x - x == 0 then equal(json.decode(json.encode(x)), x) end
    end
end

function promise.a_word_that_is_unknown_is_answered_with_the_one_meant()
    fails("load", function() return eigenrig.open end)
    fails("vec3", function() return eigenrig.vector end)
    fails("load", function() return eigenrig.lod end)
    fails('model:mix("7:12")', function() return eigenrig.mix end)
    local why = fails("zebra", function() return eigenrig.zebra end)
    assert(not why:find(";"), why) -- no suggestion
    wrong(vec3(1, 2, 3), "return it.lenght", '"length"')
    wrong(vec3(1, 2, 3), "return it.qqqqq", '"qqqqq"')
    wrong(vec3(1, 2, 3), "return it[1]", '"1"')
    wrong(quat(1, 0, 0, 0), "it.w = 1", '"w"')
    equal(getmetatable(vec3(1, 2, 3)), "eigenrig.vec3")
    assert(eigenrig.version():match("^%d+%.%d+"))
end

function promise.a_file_beside_a_script_is_in_its_folder()
    local script = write("beside.lua", 'return eigenrig.files.beside("x.glb"), eigenrig.files.beside("/x.glb")')
    local beside, absolute = dofile(script)
    equal(beside, folder .. "/x.glb") equal(absolute, "/x.glb")
    equal(load('return (eigenrig.files.beside("x.glb"))', "=stdin")(), "x.glb")
    local here = load('return (eigenrig.files.beside("x.glb"))', "@script.lua")()
    equal(here, "x.glb")
end
