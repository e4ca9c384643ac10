-- Sequencers and events of a living scene: the order in which they run. The first argument has the C functions.
local native = ...

local Script, Action, Handler = {}, {}, {}
Script.__index, Action.__index, Handler.__index = Script, Action, Handler
Script.__name, Action.__name, Handler.__name = "eigenrig.script", "eigenrig.action", "eigenrig.handler"

local device_events = {
    key_down = true, key_up = true, key_press = true,
    mouse_down = true, mouse_up = true, mouse_drag = true, mouse_click = true, mouse_move = true, mouse_wheel = true,
}
local scene_events = {start = true, finish = true, frame = true, joint_breaks = true, falls = true}
local actor_events = {contact_begins = true, contact_ends = true, removed = true}

local all_scene_events = {}
for _, names in ipairs {device_events, scene_events} do
    for name in pairs(names) do all_scene_events[name] = true end
end

-- The sequencers and handlers of a scene.
local function new_life()
    return {state = "created", scripts = {}, actions = {}, handlers = {}, waiters = {}, leaving = {}, queue = {}, numbered = 0}
end

local lives = setmetatable({}, {__mode = "k"})

local function life_of(scene)
    local life = lives[scene]
    if not life then
        life = new_life()
        lives[scene] = life
    end
    return life
end

local function nearest(word, words)
    local list = {}
    for name in pairs(words) do list[#list + 1] = name end
    table.sort(list)
    return native.nearest(word, list) or ("one of " .. table.concat(list, ", "))
end

-- Calls a function of the user. An error is reported, and ends nothing else.
local function call(scene, what, f, ...)
    local ok, text = native.call(f, ...)
    if not ok then native.report(scene, what .. ": " .. text) end
    return ok, text
end

-- ---- Handlers

-- The list of handlers, or of waiting scripts, of an object's event.
local function list_of(lists, of, name)
    local mine = lists[of]
    if not mine then
        mine = {}
        lists[of] = mine
    end
    if not mine[name] then mine[name] = {} end
    return mine[name]
end

-- Handlers that are removed meanwhile are not called any more. Those that are added count from the next event on.
local function tell(scene, life, of, name, event)
    local mine = life.handlers[of]
    local list = mine and mine[name]
    if not list then return end
    local count, gone = #list, false
    for i = 1, count do
        local h = list[i]
        if h.call then
            call(scene, "handler of " .. name, h.call, event)
        end
        gone = gone or not h.call
    end
    if not gone then return end
    local kept = {}
    for _, h in ipairs(list) do
        if h.call then kept[#kept + 1] = h end
    end
    mine[name] = kept
end

function Handler:remove()
    self.call = nil
end

local function watch(scene, of, names, name, f)
    if not names[name] then
        error(("there is no event \"%s\"; did you mean %s"):format(tostring(name), nearest(tostring(name), names)), 3)
    end
    if type(f) ~= "function" then error(("the handler of %s is a %s: expected a function(event)"):format(name, type(f)), 3) end
    local h = setmetatable({call = f, event = name}, Handler)
    local list = list_of(life_of(scene).handlers, of, name)
    list[#list + 1] = h
    return h
end

-- ---- Waiting

-- Scripts that wait for an object's event go on with it. Suspended scripts keep waiting.
local function wake_for(life, of, name, event)
    local mine = life.waiters[of]
    local list = mine and mine[name]
    if not list then return end
    mine[name] = nil
    for _, s in ipairs(list) do
        if s.waits == name and s.of == of then
            if s.state == "waiting" then
                s.woken, s.waits = event, nil
            elseif s.state == "suspended" then
                local still = list_of(life.waiters, of, name)
                still[#still + 1] = s
            end
        end
    end
end

-- Scripts go on that wait for an event that cannot come any more; suspended ones do once they are resumed.
local function release(life, of, name, event)
    local mine = life.waiters[of]
    for _, s in ipairs(mine and mine[name] or {}) do
        if s.waits == name and s.of == of then s.woken, s.waits = event, nil end
    end
end

local function happen(scene, life, of, name, event)
    wake_for(life, of, name, event)
    tell(scene, life, of, name, event)
end

local function is_sequencer(x)
    local meta = getmetatable(x)
    return meta == Script or meta == Action
end

local function is_due(scene, life, s)
    if s.state == "running" then return true end
    if s.state ~= "waiting" then return false end
    local waits = s.waits
    if waits == nil then return true end
    if type(waits) == "number" then return native.steps(scene) >= waits end
    if is_sequencer(waits) then return waits.state == "terminated" end
    if type(waits) == "function" then
        local ok, value = call(scene, s:title() .. " waits", waits)
        return s.state == "waiting" and (not ok or value)
    end
    return false
end

-- ---- Both kinds

local function title(self)
    return self.kind .. " \"" .. tostring(self.name) .. "\""
end

local function finish(self)
    if self.state == "terminated" then return end
    local before, scene = self.state, self.scene
    self.state = "terminated"
    if self.exit and before ~= "created" then call(scene, title(self) .. ", exit", self.exit, self) end
    local life = life_of(scene)
    happen(scene, life, self, "finish", {name = "finish", of = self, time = scene.time})
    life.handlers[self], life.waiters[self] = nil, nil
end

local function begin(self, list, ...)
    if self.state ~= "created" then error(title(self) .. " was started already", 3) end
    local life = life_of(self.scene)
    if life.state == "ending" or life.state == "terminated" then error("the scene has ended", 3) end
    self.state = "running"
    self.began = self.scene.time
    self.arguments = table.pack(...)
    list = life[list]
    list[#list + 1] = self
    if self.on_start then call(self.scene, title(self) .. ", start", self.on_start, self) end
    return self
end

local function suspend(self)
    if self.state == "running" or self.state == "waiting" then
        self.resumed_as = self.state
        self.state = "suspended"
        if coroutine.running() == self.thread and coroutine.isyieldable() then coroutine.yield() end
    end
    return self
end

-- A script that ends itself stops at once; from a hook that it called, at its next wait.
local function terminate(self)
    finish(self)
    if coroutine.running() == self.thread then
        if coroutine.isyieldable() then coroutine.yield() end
    elseif self.thread and coroutine.status(self.thread) == "suspended" then
        local ok, text = native.close(self.thread) -- variables that are to be closed
        if not ok then native.report(self.scene, title(self) .. ", closed: " .. text) end
    end
end

local function resume(self)
    if self.state == "suspended" then
        self.state = self.resumed_as
    end
    return self
end

local function make(scene, class, kind, main, keys, given)
    if type(given) == "function" then given = {[main] = given} end
    if type(given) ~= "table" then
        error(("scene:%s(%s): expected a function, or a table with %s"):format(kind, type(given), main), 3)
    end
    for key in pairs(given) do
        if not keys[key] then
            error(("scene:%s{...}: unknown field \"%s\"; did you mean \"%s\""):format(kind, tostring(key),
                nearest(tostring(key), keys)), 3)
        end
    end
    for _, key in ipairs {main, "start", "exit"} do
        local f = given[key]
        if f ~= nil and type(f) ~= "function" then error(("scene:%s{...}: %s is a %s: expected a function"):format(kind, key, type(f)), 3) end
    end
    if not given[main] then error(("scene:%s{...}: %s is missing: expected a function"):format(kind, main), 3) end
    local life = life_of(scene)
    life.numbered = life.numbered + 1
    if given.name ~= nil and type(given.name) ~= "string" then error(("scene:%s{...}: name is a %s: expected a text"):format(kind, type(given.name)), 3) end
    return setmetatable({scene = scene, kind = kind, name = given.name or tostring(life.numbered), state = "created",
        [main] = given[main], on_start = given.start, exit = given.exit, life = given.life}, class)
end

for _, class in ipairs {Script, Action} do
    class.title, class.suspend, class.resume, class.terminate = title, suspend, resume, terminate
    class.on = function(self, name, f)
        local handler = watch(self.scene, self, {finish = true}, name, f)
        return handler
    end
    class.__tostring = function(self) return title(self) .. ", " .. self.state end
end

-- ---- Scripts

function Script:start(...)
    self.thread = native.thread(self.run)
    return begin(self, "scripts", ...)
end

-- wait(): until the next frame; wait(seconds); wait(sequencer): until it ends; wait(function): until it returns true;
-- wait("key_down"), wait(actor, "contact_begins"): until that event, which it returns.
function Script:wait(what, name)
    if coroutine.running() ~= self.thread or not coroutine.isyieldable() then
        error(title(self) .. ": wait() is for the script itself to call, not for what it calls back", 2)
    end
    if self.state == "terminated" or self.state == "suspended" then coroutine.yield() end
    local scene = self.scene
    if what == nil then what = 0 end
    if type(what) == "number" then
        if not (what >= 0 and what <= 1e9) then error(("wait(%s): expected seconds, 0 or more"):format(what), 2) end
        self.waits = native.steps(scene) + math.max(1, math.ceil(what / scene.step - 1e-6))
    elseif is_sequencer(what) and name == nil then
        self.waits = what
    elseif type(what) == "function" then
        self.waits = what
    else
        local of, event = scene, what
        if name ~= nil then of, event = what, name end
        local names = of == scene and all_scene_events or is_sequencer(of) and {finish = true} or
            native.is_actor(of) and actor_events or nil
        if type(event) == "string" and names and not names[event] then
            error(("wait(): there is no event \"%s\"; did you mean %s"):format(event, nearest(event, names)), 2)
        end
        if type(event) ~= "string" or not names then
            error("wait(): expected seconds, a script or action, a function, an event, or an actor and its event", 2)
        end
        self.of, self.waits = of, event
        if native.is_actor(of) and of.removed then
            self.woken, self.waits = {name = "removed", actor = of, time = scene.time}, native.steps(scene) + 1
        else
            local list = list_of(life_of(scene).waiters, of, event)
            list[#list + 1] = self
        end
    end
    if what == self then error(title(self) .. " waits for itself", 2) end
    self.state = "waiting"
    return coroutine.yield()
end

local function go_on(life, s)
    local first, woken = s.arguments, s.woken
    s.state, s.arguments, s.woken, s.waits, s.of = "running", nil, nil, nil, nil
    local ok, ended, text
    if first then
        ok, ended, text = native.resume(s.thread, s, table.unpack(first, 1, first.n))
    else
        ok, ended, text = native.resume(s.thread, woken)
    end
    if not ok then
        native.report(s.scene, title(s) .. ": " .. text)
        finish(s)
    elseif ended then
        finish(s)
    elseif s.state == "running" then -- a bare coroutine.yield()
        s.state, s.waits = "waiting", native.steps(s.scene) + 1
    end
end

local function sweep(list)
    local kept = 0
    for i = 1, #list do
        local s = list[i]
        if s.state ~= "terminated" then
            kept = kept + 1
            list[kept] = s
        end
    end
    for i = #list, kept + 1, -1 do list[i] = nil end
end

-- Runs all scripts that are due, in the order in which they started, and repeats while that makes others due.
local function run_scripts(scene, life)
    local scripts = life.scripts
    local most = #scripts + 10000
    local again = true
    while again do
        again = false
        local i = 1
        while i <= #scripts do
            local s = scripts[i]
            if is_due(scene, life, s) then
                again = true
                if most == 0 then
                    native.report(scene, "scripts start and end each other without end in one frame; " .. title(s) .. " was ended")
                    terminate(s)
                else
                    go_on(life, s)
                    most = most - 1
                end
            end
            i = i + 1
        end
    end
    sweep(scripts)
end

-- ---- Actions

function Action:start()
    self.age = 0
    return begin(self, "actions")
end

local function run_actions(scene, life)
    local actions, dt = life.actions, scene.step
    local count, gone = #actions, false
    for i = 1, count do
        local a = actions[i]
        if a.state == "running" then
            if not call(scene, title(a), a.update, a, dt) then finish(a) end
            a.age = a.age + dt
            if a.life and a.age >= a.life - 1e-9 then finish(a) end
        end
        gone = gone or a.state == "terminated"
    end
    if gone then sweep(actions) end
end

-- ---- The scene's methods

local methods = {}
local script_keys = {run = true, name = true, start = true, exit = true}
local action_keys = {update = true, name = true, start = true, exit = true, life = true}

function methods.script(scene, given)
    return make(scene, Script, "script", "run", script_keys, given)
end

function methods.action(scene, given)
    local a = make(scene, Action, "action", "update", action_keys, given)
    if a.life ~= nil and not (type(a.life) == "number" and a.life > 0) then
        error("scene:action{...}: life is a number of seconds above 0", 2)
    end
    return a
end

function methods.on(scene, name, f)
    local handler = watch(scene, scene, all_scene_events, name, f) -- no tail call: errors are of the caller's line
    return handler
end

-- Whether an event of the scene has a handler or a waiting script.
local function listens(scene, name)
    local life = life_of(scene)
    local mine = life.handlers[scene]
    for _, h in ipairs(mine and mine[name] or {}) do
        if h.call then return true end
    end
    for _, s in ipairs(life.scripts) do
        if s.of == scene and s.waits == name then return true end
    end
    return false
end

local function state(scene)
    return life_of(scene).state
end

-- Queues an event, to be handled with this frame's events.
function methods.post(scene, name, event)
    if not device_events[name] then error(("there is no event \"%s\" to post; did you mean %s"):format(tostring(name), nearest(tostring(name), device_events)), 2) end
    event = event or {}
    event.name = name
    local queue = life_of(scene).queue
    queue[#queue + 1] = event
end

function methods.terminate(scene)
    local life = life_of(scene)
    if life.state == "ending" or life.state == "terminated" then return end
    life.state = "ending"
    for _, list in ipairs {life.scripts, life.actions} do
        for i = #list, 1, -1 do terminate(list[i]) end
    end
    life.state = "terminated"
    happen(scene, life, scene, "finish", {name = "finish", time = scene.time})
end

local function start(scene, life)
    life.state = "running"
    local entry = native.entry(scene)
    if entry then methods.script(scene, {name = "scene", run = entry}):start() end
    happen(scene, life, scene, "start", {name = "start", time = scene.time})
end

-- Scripts, actions, physics.
local function advance(scene)
    local life = life_of(scene)
    if life.state == "created" then start(scene, life) end
    if life.state ~= "running" then return false end
    life.busy = true
    run_scripts(scene, life)
    run_actions(scene, life)
    life.busy = false
    if life.state ~= "running" then return false end
    native.step(scene)
    return true
end

-- Whether any actor has a handler or a waiting script.
local function is_watched(scene, life)
    for of in pairs(life.handlers) do
        if of ~= scene and not is_sequencer(of) then return true end
    end
    for _, s in ipairs(life.scripts) do
        if s.of and s.of ~= scene and not is_sequencer(s.of) then return true end
    end
    return false
end

local function tell_touches(scene, life)
    for _, t in ipairs(native.touches(scene)) do
        local name = t.begins and "contact_begins" or "contact_ends"
        for k = 1, 2 do
            local me, other = t[k], t[3 - k]
            happen(scene, life, me, name, {name = name, actor = me, other = other, point = t.point, impulse = t.impulse,
                time = scene.time})
        end
    end
end

-- Handles contacts, then keys and mouse.
local function events(scene)
    local life = life_of(scene)
    if life.state ~= "running" then return end
    life.busy = true
    if is_watched(scene, life) then tell_touches(scene, life) end
    for _, event in ipairs(native.broken(scene)) do
        event.name, event.time = "joint_breaks", scene.time
        happen(scene, life, scene, "joint_breaks", event)
    end
    for _, event in ipairs(native.falls(scene)) do
        event.name, event.time = "falls", scene.time
        happen(scene, life, scene, "falls", event)
    end
    local queue = life.queue
    life.queue = {}
    for _, event in ipairs(queue) do
        event.time = scene.time
        happen(scene, life, scene, event.name, event)
    end
    happen(scene, life, scene, "frame", {name = "frame", time = scene.time})
    life.busy = false
end

-- A frame for the caller that plays the scene; an error from within the scene.
local function frame(scene)
    local life = life_of(scene)
    if life.busy then error("a scene's own scripts, actions and handlers cannot have it take a frame", 3) end
    local went = advance(scene)
    events(scene)
    return went
end

function methods.frame(scene)
    local went = frame(scene) -- no tail call: errors are of the caller's line
    return went
end

-- Takes as many frames as the seconds need.
function methods.run(scene, seconds)
    if type(seconds) ~= "number" or not (seconds >= 0 and seconds <= 1e6) then
        error("scene:run(seconds): expected a number from 0 to 1e6", 2)
    end
    for _ = 1, math.ceil(seconds / scene.step - 1e-6) do
        if not frame(scene) then break end
    end
end

local function watch_actor(actor, name, f)
    local handler = watch(actor.scene, actor, actor_events, name, f)
    return handler
end

-- Called before an actor is removed. Scripts that wait for another of its events go on with this one.
local function removed(scene, actor)
    local life = lives[scene]
    if not life or life.leaving[actor] then return end
    life.leaving[actor] = true
    for _, other in ipairs(native.partners(scene, actor.id)) do
        for k = 1, 2 do
            local me, it = k == 1 and other or actor, k == 1 and actor or other
            happen(scene, life, me, "contact_ends", {name = "contact_ends", actor = me, other = it, impulse = 0,
                point = actor.position, time = scene.time})
        end
    end
    local event = {name = "removed", actor = actor, time = scene.time}
    happen(scene, life, actor, "removed", event)
    for name in pairs(actor_events) do release(life, actor, name, event) end
    life.handlers[actor], life.waiters[actor] = nil, nil
    life.leaving[actor] = nil
end

return {scene = methods, actor = {on = watch_actor}, state = state, listens = listens, advance = advance, events = events, removed = removed}
