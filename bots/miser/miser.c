/* A bot in C, with only the standard library, that bids only 4s and avoids buying stones.

   From top to bottom: a JSON reader that works in place, the three games, the protocol. Each game has a function that
   values an action. The bot plays the first action with the highest value. */

#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- JSON ------------------------------------------------------------------------------------------------------------
   A value is a pointer to its first character; nothing is copied. Functions return NULL, 0 or false for NULL, so that
   `number(field(field(seen, "auction"), "high"))` needs no checks in between. The names and strings of the protocol
   contain no escapes; strings with escapes are skipped correctly but not decoded. */

typedef const char *Value;

static Value blank(Value at) { return at + strspn(at, " \t\r\n"); }

static Value skip_text(Value at) {
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1]) at++;
    return *at ? at + 1 : at;
}

/* Return the position after a value. */
static Value skip(Value at) {
    int depth = 0;
    do {
        if (*at == '"')
            at = skip_text(at);
        else if (*at == '{' || *at == '[')
            depth++, at++;
        else if (*at == '}' || *at == ']')
            depth--, at++;
        else
            at += depth ? 1 : strcspn(at, ",:]} \t\r\n");
    } while (depth > 0 && *at);
    return blank(at);
}

/* Return the first item of a list (or the first name of an object), NULL if there is none; `next` is the one after. */
static Value first(Value list) {
    if (!list || (*list != '[' && *list != '{')) return NULL;
    list = blank(list + 1);
    return *list && *list != ']' && *list != '}' ? list : NULL;
}

static Value next(Value item) {
    item = item ? skip(item) : "";
    return *item == ',' ? blank(item + 1) : NULL;
}

static Value item(Value list, int index) {
    Value at = first(list);
    while (at && index-- > 0) at = next(at);
    return at;
}

static int same(Value text, const char *word) {
    size_t length = strlen(word);
    return text && *text == '"' && !strncmp(text + 1, word, length) && text[length + 1] == '"';
}

/* Return the value of a name in an object. */
static Value after(Value name) {
    Value colon = skip(name);
    return *colon == ':' ? blank(colon + 1) : NULL;
}

static Value field(Value object, const char *name) {
    Value at = object && *object == '{' ? first(object) : NULL;
    while (at && !same(at, name)) at = next(after(at));
    return at ? after(at) : NULL;
}

static int is_null(Value value) { return !value || *value == 'n'; }
static int number(Value value) { return is_null(value) ? 0 : atoi(value); }
static int number_or(Value value, int otherwise) { return is_null(value) ? otherwise : atoi(value); }

static int length(Value list) {
    int count = 0;
    for (Value at = first(list); at; at = next(at)) count++;
    return count;
}

/* Copy a string, cut to the space available. */
static void copy_text(Value text, char *into, size_t space) {
    size_t used = 0;
    *into = 0;
    if (!text || *text != '"') return;
    for (text++; *text && *text != '"' && used + 1 < space; text++) into[used++] = *text;
    into[used] = 0;
}

/* -- Fifth Avenue ------------------------------------------------------------------------------------------------- */

#define MOST_SEATS 8
#define MOST_WORDS 7

static Value rings; /* by district: its plots around the centre, in the `start` line */

static Value seat_of(Value seen, int seat) { return item(field(seen, "seats"), seat); }

static int at_most(int number, int most) { return number < 0 ? 0 : number < most ? number : most; }
static int me(Value seen) { return at_most(number(field(seen, "seat")), MOST_SEATS - 1); }
static int seats(Value seen) { return at_most(length(field(seen, "seats")), MOST_SEATS); }

/* Return the plot `34E.gray` of the board. */
static Value plot_at(Value seen, char *where) {
    char *dot = strchr(where, '.');
    if (!dot) return NULL;
    *dot = 0;
    Value plot = field(field(field(seen, "board"), where), dot + 1);
    *dot = '.';
    return plot;
}

/* Add to the points by seat a scoring of the district with these plots. */
static void score(Value seen, Value plots, int *points) {
    for (Value name = first(plots); name; name = next(after(name))) {
        Value plot = after(name);
        int owner = number_or(field(plot, "owner"), -1); /* with two players 2 is Alea, who has no points */
        if (owner >= 0 && owner < seats(seen))
            points[owner] += number(field(plot, "value")) * number(field(plot, "skyscrapers"));
    }
}

/* Return my points less the best opponent's. */
static int over_the_rest(Value seen, const int *points) {
    int best = 0;
    for (int seat = 0; seat < seats(seen); seat++)
        if (seat != me(seen) && points[seat] > best) best = points[seat];
    return points[me(seen)] - best;
}

/* Return my lead in a scoring of the district now. */
static int lead(Value seen, const char *district) {
    int points[MOST_SEATS] = {0};
    score(seen, field(field(seen, "board"), district), points);
    return over_the_rest(seen, points);
}

/* Return my lead if the game ended now. */
static int ahead(Value seen) {
    int points[MOST_SEATS] = {0};
    for (int seat = 0; seat < seats(seen); seat++)
        points[seat] = number(field(seat_of(seen, seat), "points")) +
                       3 * number(field(seat_of(seen, seat), "central_park"));
    for (Value district = first(field(seen, "board")); district; district = next(after(district)))
        score(seen, after(district), points);
    return over_the_rest(seen, points);
}

/* Return the number of my skyscrapers next to a plot, less the others'. */
static int neighbours(Value seen, char *where) {
    char *dot = strchr(where, '.');
    if (!dot) return 0;
    *dot = 0;
    Value plots = field(field(seen, "board"), where), ring = field(rings, where);
    int count = length(ring), at = 0, sum = 0;
    while (at < count - 1 && !same(item(ring, at), dot + 1)) at++;
    for (int side = 0; side < 2 && count; side++) {
        char name[16];
        copy_text(item(ring, (at + (side ? count - 1 : 1)) % count), name, sizeof name);
        Value plot = field(plots, name);
        int skyscrapers = number(field(plot, "skyscrapers"));
        sum += number_or(field(plot, "owner"), -1) == me(seen) ? skyscrapers : -skyscrapers;
    }
    *dot = '.';
    return sum;
}

static double bid(Value seen, const char *suit, int card) {
    Value auction = field(seen, "auction");
    int total = number(field(item(field(auction, "bids"), me(seen)), "total"));
    int high = number(field(auction, "high")), supply = number(field(seat_of(seen, me(seen)), "supply"));
    if (card != 4 || !supply || high - total >= 12) return total > high || card != 4 ? -2 : -1;
    return strcmp(suit, "black") ? 2 : 1;
}

static double fifth_avenue(Value seen, char **word, int words) {
    if (!strcmp(word[0], "place")) return number(field(plot_at(seen, word[1]), "value"));
    if (!strcmp(word[0], "score")) return 2 + 2 * lead(seen, word[1]); /* the two black cards are welcome */
    if (!strcmp(word[0], "commissioner")) return 2;
    if (!strcmp(word[0], "skyscrapers")) return number(field(seat_of(seen, me(seen)), "supply")) < 2 ? 5 : 1;
    if (!strcmp(word[0], "business")) {
        if (number(field(seen, "placed")) == 11) return ahead(seen) > 0 ? 100 : -100; /* the last one ends the game */
        return 2 * neighbours(seen, word[2]) - 1;
    }
    if (!strcmp(word[0], "draw")) {
        double fours = 0;
        for (int at = 1; at < words; at++)
            fours += number(field(field(field(seen, "stacks"), word[at]), "top")) == 4;
        return fours;
    }
    if (!strcmp(word[0], "move")) return lead(seen, word[2]);
    if (!strcmp(word[0], "bid")) return bid(seen, word[1], atoi(word[2]));
    if (!strcmp(word[0], "build")) return atoi(word[1]);
    if (!strcmp(word[0], "stop")) return -1;
    return !strcmp(word[0], "done") ? 100 : 0; /* and to pass costs nothing */
}

/* -- Manhattan ---------------------------------------------------------------------------------------------------- */

/* Value a selection of blocks: the closer to the same mixture of heights in each round, the better. */
static double mixture(Value seen, char **word, int words) {
    char colour[16];
    copy_text(field(seen, "colour"), colour, sizeof colour);
    Value supply = field(field(field(seen, "stocks"), colour), "supply");
    double all = 0, off = 0;
    for (int height = 1; height <= 4; height++) all += number(item(supply, height - 1));
    for (int height = 1; height <= 4; height++) {
        double difference = -number(item(supply, height - 1)) * (words - 1) / all;
        for (int at = 1; at < words; at++) difference += atoi(word[at]) == height;
        off += difference < 0 ? -difference : difference;
    }
    return -off;
}

static int is_mine(Value seen, const char *colour) {
    return number_or(field(field(field(seen, "stocks"), colour), "seat"), -1) == me(seen);
}

/* Return a city's points for me (doubled) less the others', with a tower of this colour on that site (0: none). */
static int city_points(Value seen, const char *city, int site, const char *colour) {
    static const char *COLOURS[] = {"red", "blue", "yellow", "green"};
    int counts[4] = {0}, most = 0, at = 0, points = 0;
    for (Value tower = first(field(field(seen, "cities"), city)); tower; tower = next(tower)) {
        at++;
        for (int c = 0; c < 4; c++)
            counts[c] += at == site ? !strcmp(COLOURS[c], colour) : same(field(tower, "owner"), COLOURS[c]);
    }
    for (int c = 0; c < 4; c++)
        if (counts[c] > most) most = counts[c];
    int alone = (counts[0] == most) + (counts[1] == most) + (counts[2] == most) + (counts[3] == most) == 1;
    for (int c = 0; c < 4; c++)
        points += (counts[c] + 2 * (alone && counts[c] == most)) * (is_mine(seen, COLOURS[c]) ? 2 : -1);
    return points;
}

/* Value an action by the points that it brings now; prefer the lowest block that suffices. */
static double manhattan(Value seen, char **word, int words) {
    if (!strcmp(word[0], "select")) return mixture(seen, word, words);
    if (!strcmp(word[0], "discard")) return -atoi(word[2]);
    Value own = seat_of(seen, me(seen));
    int site = number(item(field(own, "sites"), atoi(word[1]) - 1));
    char colour[16];
    copy_text(first(field(own, "colours")), colour, sizeof colour);
    return city_points(seen, word[2], site, words > 4 ? word[4] : colour) - city_points(seen, word[2], 0, "") -
           0.25 * atoi(word[3]);
}

/* -- New York ----------------------------------------------------------------------------------------------------- */

static int is_at(Value seen, int avenue, int street, const char *colour) {
    return avenue > 0 && street > 0 && same(item(item(field(seen, "board"), avenue - 1), street - 1), colour);
}

/* Value a stone of mine on a cell by the stones of its colour next to it; empty cells are free. */
static double cell(Value seen, int avenue, int street) {
    char colour[16];
    copy_text(field(seen, is_null(field(seen, "stone")) ? "colour" : "stone"), colour, sizeof colour);
    if (is_at(seen, avenue, street, colour)) return -4;
    int touching = is_at(seen, avenue - 1, street, colour) + is_at(seen, avenue + 1, street, colour) +
                   is_at(seen, avenue, street - 1, colour) + is_at(seen, avenue, street + 1, colour);
    return is_null(item(item(field(seen, "board"), avenue - 1), street - 1)) ? 1 + touching : 0.5 * touching - 1;
}

static double cell_named(Value seen, const char *name) {
    int avenue = 0, street = 0;
    sscanf(name, "a%ds%d", &avenue, &street);
    return cell(seen, avenue, street);
}

static int line_of(const char *card) { return atoi(card + (*card == '*')); }

static double new_york(Value seen, char **word, int words) {
    (void)words;
    if (!strcmp(word[0], "use")) return number(field(field(field(seen, "colours"), word[1]), "stock"));
    if (!strcmp(word[0], "play")) return cell(seen, line_of(word[1]), line_of(word[2]));
    if (!strcmp(word[0], "place")) return cell_named(seen, word[1]);
    if (!strcmp(word[0], "remove")) return -cell_named(seen, word[1]);
    if (!strcmp(word[0], "developer")) return 3 + cell_named(seen, word[3]);
    return !strcmp(word[0], "speculation") || !strcmp(word[0], "statics") ? 3 : 0;
}

/* -- the protocol ------------------------------------------------------------------------------------------------- */

typedef double (*Game)(Value seen, char **word, int words);

static double unknown(Value seen, char **word, int words) {
    (void)seen, (void)word, (void)words;
    return 0;
}

static Game game_of(Value start) {
    Value name = field(start, "game");
    if (same(name, "fifth-avenue")) return fifth_avenue;
    if (same(name, "manhattan")) return manhattan;
    return same(name, "new-york") ? new_york : unknown;
}

static void decide(Value message, Game game) {
    char best[64] = "";
    double most = 0;
    for (Value action = first(field(message, "legal")); action; action = next(action)) {
        char text[64], whole[64], *word[MOST_WORDS] = {"", "", "", "", "", "", ""}, *rest = text;
        int words = 0;
        copy_text(action, text, sizeof text);
        strcpy(whole, text);
        for (char *at; words < MOST_WORDS && (at = strtok_r(rest, " ", &rest));) word[words++] = at;
        double value = words ? game(field(message, "observation"), word, words) : 0;
        if (!*best || value > most) {
            strcpy(best, whole);
            most = value;
        }
    }
    printf("{\"id\":%d,\"action\":\"%s\"}\n", number(field(message, "id")), best);
}

int main(void) {
    char *line = NULL, *start = NULL;
    size_t space = 0;
    Game game = unknown;
    while (getline(&line, &space, stdin) > 0) {
        Value message = blank(line), type = field(message, "type");
        if (same(type, "hello"))
            puts("{\"type\":\"ready\",\"name\":\"miser\",\"wants\":[\"legal\",\"observation\"]}");
        else if (same(type, "start")) {
            free(start);
            start = strdup(line); /* `rings` points into it during the game */
            game = game_of(message);
            rings = field(field(blank(start), "board"), "rings");
            puts("{\"type\":\"ready\"}");
        } else if (same(type, "decide"))
            decide(message, game);
        else if (same(type, "quit"))
            break;
        fflush(stdout); /* output to a pipe is buffered */
    }
    free(line);
    free(start);
    return 0;
}
