-- Follow-through of clips: what it returns and writes, and what it refuses.

function promise.parts_follow_and_are_told()
    local m = eigenrig.load(models .. "fox.glb")
    local out = folder .. "/fox_follow.glb"
    local calls = 0
    local parts = m:follow(out, {parts = "tail,left ear", clip = "run", looseness = 2, bounce = 0.5, only_new = true,
        fps = 30, progress = function(done, all) calls = calls + 1 equal(all, 1) end})
    equal(#parts, 2) equal(calls, 1)
    for _, part in ipairs(parts) do
        equal(part.clip, "run") equal(part.loops, true) equal(part.exact, true)
        close(part.hz, 2) close(math.exp(-math.pi * part.damping / math.sqrt(1 - part.damping ^ 2)), 0.5)
        if not (part.swing > 0 and part.swing < 90) then error("swings by " .. part.swing) end
    end
    equal(parts[1].body, "left_ear_1") equal(parts[2].body, "tail_1") equal(parts[2].bodies, 5)
    local written = eigenrig.load(out)
    equal(#written.clips, 1) equal(written.clips[1].name, "run") close(written.clips[1].duration, 0.5)
end

function promise.wrong_parts_are_refused()
    local m = eigenrig.load(models .. "fox.glb")
    local out = folder .. "/x.glb"
    fails("parts", function() m:follow(out, {}) end)
    fails("tail", function() m:follow(out, {parts = "tial"}) end)
    fails("rnu", function() m:follow(out, {parts = "tail", clip = "rnu"}) end)
    fails("csv", function() m:follow("x.csv", {parts = "tail"}) end)
    fails("bounce", function() m:follow(out, {parts = "tail", bounce = 1}) end)
    fails("springs", function() m:follow(out, {parts = "tail", springs = 1}) end)
    fails("rig file", function() eigenrig.load(models .. "four_bar.json"):follow(out, {parts = "x"}) end)
end

function promise.sequences_are_tables_or_words_and_go_somewhere()
    local m = eigenrig.load(models .. "gnome.glb")
    local out = folder .. "/gnome_sequence.glb"
    local found = m:gaits{modes = 8}
    local told = m:sequence(out, {{"idle", 1}, {what = "walk:0.5+skip", seconds = 1.5}, {"7:4", 1}},
        {root_motion = "flat", only_new = true, fps = 30, name = "about", gaits = found})
    close(told.seconds, 3.5)
    if not (told.way > 0.3 and told.slide < 0.01) then error(told.way .. " " .. told.slide) end
    local written = eigenrig.load(out)
    equal(#written.clips, 1) equal(written.clips[1].name, "about") close(written.clips[1].duration, 3.5)
    fails("items[2]", function() m:sequence(out, {{"idle", 1}, {"walk"}}) end)
    fails("items[1]", function() m:sequence(out, {"idle"}) end)
    fails("csv", function() m:sequence("x.csv", "idle 1s") end)
    fails("blnd", function() m:sequence(out, "idle 1s", {blnd = 1}) end)
    fails("two", function() m:blend_space(out, "walk", {gaits = found}) end)
    local space = m:blend_space(out, "walk, skip", {gaits = found, only_new = true, fps = 30})
    equal(#space, 2) equal(space[1].name:match("%a+"), "walk") equal(space[2].name:match("%a+"), "skip")
    local other = eigenrig.load(models .. "horse.glb")
    fails("gaits", function() other:sequence(out, "idle 1s", {gaits = found}) end)
end
