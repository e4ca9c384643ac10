-- Replaces functions of Lua's library by which a scene would escape the limit to how long its functions run.
local native = ...

local function refuse_finalizer(set)
    return function(object, ...)
        local meta = ...
        if type(meta) == "table" and rawget(meta, "__gc") ~= nil then
            error("a scene's tables cannot have __gc; close what they hold with a variable of attribute <close>", 2)
        end
        return set(object, ...)
    end
end

setmetatable = refuse_finalizer(setmetatable)
debug.setmetatable = refuse_finalizer(debug.setmetatable)

function debug.sethook()
    error("a scene's hook counts its instructions, and cannot be replaced", 2)
end

local function limit_body(create)
    return function(f)
        return create(type(f) == "function" and native.body(f) or f)
    end
end

coroutine.create = limit_body(coroutine.create)
coroutine.wrap = limit_body(coroutine.wrap)

local plain_xpcall = xpcall
function xpcall(f, handler, ...)
    return plain_xpcall(f, type(handler) == "function" and native.guard(handler) or handler, ...)
end
