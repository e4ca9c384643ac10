-- What promises in Lua share.

-- `function promise.words()` adds one: by its name, and to the list of them.
promise = setmetatable({}, {__newindex = function(all, name, run)
    assert(rawget(all, name) == nil, name)
    rawset(all, #all + 1, name)
    rawset(all, name, run)
end})

-- That a number is another, to 1e-9 of it or as said.
function near(a, b, share)
    local most = (share or 1e-9) * math.abs(b)
    if not (math.abs(a - b) <= most) then error(("%.17g is not %.17g"):format(a, b), 2) end
end

-- That a number is another to so much.
function close(a, b, most)
    if not (math.abs(a - b) <= (most or 1e-12)) then error(("%.17g is not %.17g"):format(a, b), 2) end
end

-- That two vectors, or lists of numbers, are the same to so much.
function same(a, b, most)
    a = type(a) == "userdata" and a:totable() or a
    b = type(b) == "userdata" and b:totable() or b
    if #a ~= #b then error(#a .. " numbers are not " .. #b, 2) end
    for i = 1, #a do
        if not (math.abs(a[i] - b[i]) <= (most or 1e-12)) then error(("number %d is %.17g, not %.17g"):format(i, a[i], b[i]), 2) end
    end
end

-- That two values are one.
function equal(a, b)
    if a ~= b then error(tostring(a) .. " is not " .. tostring(b), 2) end
end

-- That a call fails with words that are in its error; that error.
function fails(words, f, ...)
    local ok, why = pcall(f, ...)
    if ok then error("it went well, and should have said " .. words, 2) end
    if not tostring(why):find(words, 1, true) then error("it said " .. tostring(why) .. ", not " .. words, 2) end
    return why
end

-- That what a text of Lua does with `it` fails with words.
function wrong(it, text, words)
    local f = assert(load("local it = ... " .. text, "=text"))
    local ok, why = pcall(f, it)
    if ok then error(text .. " went well, and should have said " .. words, 2) end
    if not tostring(why):find(words, 1, true) then error(text .. " said " .. tostring(why) .. ", not " .. words, 2) end
end

function read(path)
    local file <close> = assert(io.open(path, "rb"))
    return file:read("a")
end

function write(name, text)
    local path = folder .. "/" .. name
    local file <close> = assert(io.open(path, "wb"))
    file:write(text)
    return path
end
