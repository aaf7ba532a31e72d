# Builds, and hurries to the next auction.
#
# awk has two traps between pipes. Output stays in a buffer until fflush(). And mawk waits for more than one line
# unless it is started as `mawk -W interactive -f builder.awk`. So this file has no #! line and is not executable: `fa`
# starts it the right way, with gawk or mawk.

# -- JSON ---------------------------------------------------------------------------------------------------------------
# Quotes separate the fields, so every second field is a string, and punctuation and numbers are in between. (Quotes in
# strings are taken out first.) A line becomes J["observation.board.34E.gray.value"] = 3 and so on. List items are
# numbered from 0; N["legal"] is the length of a list.

BEGIN { FS = "\"" }

function read_line(    i) {
    gsub(/\\./, "?")
    split("", J); split("", N)
    depth = 0; named = 0
    for (i = 1; i <= NF; i++)
        if (i % 2) read_marks($i)
        else if (is_list[depth] || named) read_value($i)
        else { name[depth] = $i; named = 1 }
}

function read_marks(text,    c) {
    while (text != "") {
        c = substr(text, 1, 1)
        if (match(text, /^[^][{},: ]+/)) {
            read_value(substr(text, 1, RLENGTH))
            text = substr(text, RLENGTH + 1)
            continue
        }
        if (c == "{" || c == "[") {
            prefix[depth + 1] = path() (depth ? "." : "")
            depth++
            is_list[depth] = c == "["; name[depth] = 0; named = 0
        } else if (c == "}" || c == "]") {
            depth--; named = 0
            if (is_list[depth]) count_item()
        } else if (c == ",")
            named = 0
        text = substr(text, 2)
    }
}

function path() { return depth ? prefix[depth] name[depth] : "" }

function read_value(text) {
    J[path()] = text
    named = 0
    if (is_list[depth]) count_item()
}

function count_item() { name[depth]++; N[substr(prefix[depth], 1, length(prefix[depth]) - 1)] = name[depth] }

function seen(what) { return J["observation." what] }

# -- Fifth Avenue -------------------------------------------------------------------------------------------------------

BEGIN {
    split("orange green gray brown violet dashed", PLOTS, " ")
    split("34E 34W 42E 42W TS 52E 52W", DISTRICTS, " ")
}

# Reads the plots around the centre of each district from the `start` line.
function read_rings(    d, i, ring) {
    split("", RING)
    for (d in DISTRICTS) {
        ring = "board.rings." DISTRICTS[d]
        SIZE[DISTRICTS[d]] = N[ring]
        for (i = 0; i < N[ring]; i++) RING[DISTRICTS[d], i] = J[ring "." i]
    }
}

# Returns my points less the best opponent's if the district were scored now.
function lead(district,    i, plot, points, best) {
    split("", points)
    for (i in PLOTS) {
        plot = "board." district "." PLOTS[i]
        if (seen(plot ".skyscrapers")) points[seen(plot ".owner")] += seen(plot ".value") * seen(plot ".skyscrapers")
    }
    for (i = 0; i < N["observation.seats"]; i++)  # with two players the owner 2 is Alea, who has no points
        if (i != me && points[i] > best) best = points[i]
    return points[me] - best
}

# Returns my lead over the best opponent if the game ended now.
function ahead(    i, d, plot, points, best) {
    split("", points)
    for (i = 0; i < N["observation.seats"]; i++)
        points[i] = seen("seats." i ".points") + 3 * seen("seats." i ".central_park")
    for (d in DISTRICTS)
        for (i in PLOTS) {
            plot = "board." DISTRICTS[d] "." PLOTS[i]
            if (seen(plot ".skyscrapers"))
                points[seen(plot ".owner")] += seen(plot ".value") * seen(plot ".skyscrapers")
        }
    for (i = 0; i < N["observation.seats"]; i++)
        if (i != me && points[i] > best) best = points[i]
    return points[me] - best
}

# Returns the number of my skyscrapers next to a plot, less the others'.
function neighbours(where,    part, i, at, side, count, plot, sum) {
    split(where, part, ".")
    count = SIZE[part[1]]
    for (i = 0; i < count; i++) if (RING[part[1], i] == part[2]) at = i
    for (side = 0; side < 2 && count; side++) {
        plot = "board." part[1] "." RING[part[1], (at + (side ? count - 1 : 1)) % count]
        sum += (seen(plot ".owner") == me ? 1 : -1) * seen(plot ".skyscrapers")
    }
    return sum
}

# Bids up to five times the points that one scoring of a skyscraper there brings.
function bid(suit, card,    lot, i, plot, worth, missing) {
    lot = seen("auction.lot")
    plot = "board." lot "." suit
    for (i in PLOTS) if (seen("board." lot "." PLOTS[i] ".owner") == me "") plot = "board." lot "." PLOTS[i]
    worth = ("observation." plot ".value") in J ? seen(plot ".value") : 2
    missing = seen("auction.high") - seen("auction.bids." me ".total")
    if (missing >= 5 * worth || !seen("seats." me ".supply")) return -1
    return worth + 6 - card + (suit == "black" ? 0 : 0.5)
}

function fifth_avenue(w, words,    i, sum) {
    if (w[1] == "place") return seen("board." w[2] ".value")
    if (w[1] == "skyscrapers") return seen("seats." me ".supply") < 3 ? 8 : 0
    if (w[1] == "score") return 2 * lead(w[2])
    if (w[1] == "commissioner") return 2
    if (w[1] == "business") {
        if (seen("placed") == 11) return ahead() > 0 ? 100 : -100  # the twelfth ends the game
        return 2 * neighbours(w[3])
    }
    if (w[1] == "draw") {
        for (i = 2; i <= words; i++) sum += 6 - seen("stacks." w[i] ".top") + 2 * (home_in(w[i]) > 0)
        return sum
    }
    if (w[1] == "move") return w[3] == "CityHall" ? 3 : w[3] == "CentralPark" ? 2 : lead(w[3])
    if (w[1] == "bid") return bid(w[2], w[3])
    if (w[1] == "build") return w[2]
    return w[1] == "done" ? 100 : w[1] == "stop" ? -1 : 0
}

# Returns in how many districts my plot has this colour.
function home_in(colour,    d, count) {
    for (d in DISTRICTS) count += seen("board." DISTRICTS[d] "." colour ".owner") == me ""
    return count
}

# -- Manhattan ----------------------------------------------------------------------------------------------------------

function abs(number) { return number < 0 ? -number : number }

function supply(height) { return seen("stocks." seen("colour") ".supply." (height - 1)) }

# Returns a city's points for me (doubled) less the others', with a tower of this colour on that site (-1: none).
function city_points(city, site, colour,    i, owner, count, most, ties, sum) {
    split("", count)
    for (i = 0; i < 9; i++) {
        owner = i == site ? colour : seen("cities." city "." i ".owner")
        if (owner != "") count[owner]++
    }
    for (owner in count) if (count[owner] > most) most = count[owner]
    for (owner in count) ties += count[owner] == most
    for (owner in count)
        sum += (count[owner] + (count[owner] == most && ties == 1 ? 2 : 0)) * (seen("stocks." owner ".seat") == me ? 2 : -1)
    return sum
}

# Prefers high towers, which are hard to take over, and the lowest block that suffices.
function manhattan(w, words,    i, sum, all, count, site, colour) {
    if (w[1] == "select") {  # the same mixture of heights in each round
        for (i = 2; i <= words; i++) count[w[i]]++
        for (i = 1; i <= 4; i++) all += supply(i)
        for (i = 1; i <= 4; i++) sum -= abs(count[i] - supply(i) * (words - 1) / all)
        return sum
    }
    if (w[1] == "discard") return -w[3]
    site = seen("seats." me ".sites." (w[2] - 1)) - 1
    colour = words > 4 ? w[5] : seen("seats." me ".colours.0")
    sum = seen("cities." w[3] "." site ".height") / 4
    return city_points(w[3], site, colour) - city_points(w[3], -1) + sum - w[4] / 4
}

# -- New York -----------------------------------------------------------------------------------------------------------

function stone(avenue, street) { return seen("board." (avenue - 1) "." (street - 1)) }

function cell(avenue, street,    mine, touching) {
    mine = seen("stone") == "null" ? seen("colour") : seen("stone")
    touching = (stone(avenue - 1, street) == mine) + (stone(avenue + 1, street) == mine) + \
        (stone(avenue, street - 1) == mine) + (stone(avenue, street + 1) == mine)
    if (stone(avenue, street) == mine) return -4
    return touching + (stone(avenue, street) == "null")
}

function new_york(w, words) {
    gsub(/\*/, "", w[2]); gsub(/\*/, "", w[3])
    if (w[1] == "use") return seen("colours." w[2] ".board")
    if (w[1] == "play") return cell(w[2], w[3])
    if (w[1] == "place") return cell(substr(w[2], 2, 1), substr(w[2], 4, 1))
    if (w[1] == "remove") return -cell(substr(w[2], 2, 1), substr(w[2], 4, 1))
    if (w[1] == "developer") return 1 + cell(substr(w[4], 2, 1), substr(w[4], 4, 1))
    return w[1] == "statics" || w[1] == "speculation" ? 3 : -1
}

# -- the protocol -------------------------------------------------------------------------------------------------------

function value(action,    w, words) {
    words = split(action, w, " ")
    if (game == "fifth-avenue") return fifth_avenue(w, words)
    if (game == "manhattan") return manhattan(w, words)
    return game == "new-york" ? new_york(w, words) : 0
}

function decide(    i, points, best, most) {
    me = seen("seat")
    for (i = 0; i < N["legal"]; i++) {
        points = value(J["legal." i]) + 0
        if (i == 0 || points > most) { best = J["legal." i]; most = points }
    }
    print "{\"id\":" J["id"] ",\"action\":\"" best "\"}"
}

{ read_line() }
J["type"] == "hello" { print "{\"type\":\"ready\",\"name\":\"builder\",\"wants\":[\"legal\",\"observation\"]}" }
J["type"] == "start" { game = J["game"]; read_rings(); print "{\"type\":\"ready\"}" }
J["type"] == "decide" { decide() }
J["type"] == "quit" { exit }
{ fflush() }
