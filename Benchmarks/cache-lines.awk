# Reads the trace of valgrind's lackey, and prints how many cache lines of 64 bytes of code and of data each edit
# touches between the two functions whose addresses the traced program prints first.

/^markers/ {
    first = $2
    last = $3
    next
}

/^I / || /^ [SLM] / {
    split($2, part, ",")
    address = part[1]
    if ($1 == "I" && address == first) {
        is_counting = 1
        code = data = 0
        split("", seen)
        next
    }
    if (!is_counting) next
    if ($1 == "I" && address == last) {
        print code " lines of code, " data " of data"
        is_counting = 0
        next
    }
    digits = length(address)
    quarter = int((index("0123456789abcdef", substr(address, digits - 1, 1)) - 1) / 4)
    line = substr(address, 1, digits - 2) quarter
    if (line in seen) next
    seen[line] = 1
    if ($1 == "I") code++
    else data++
}
