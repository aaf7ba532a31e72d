/* A bot with a few simple rules. Change them, and see with `fa tournament run` whether it has become better.

   For each decision the referee sends a line with an observation (all that this seat may know) and the legal actions.
   Each game below has a function that gives an action a value, in whole numbers; of the actions with the highest value
   one is played. Which words an action is made of, and what they mean: `fa rules GAME`. */

#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "messages.h"

#define MOST_SEATS 8
#define MOST_WORDS 8
#define LONGEST 128

static int is(const char *text, const char *word) { return !strcmp(text, word); }

/* -- Fifth Avenue ------------------------------------------------------------------------------------------------- */

/* What I would get if the district were scored now, less what the best of the others would. */
static int lead(fifth_avenue_observation seen, const char *district) {
    int points[MOST_SEATS] = {0}, best = 0, me = fifth_avenue_observation_seat(seen);
    int seats = json_count(fifth_avenue_observation_seats(seen));
    Json plots = json_field(fifth_avenue_observation_board(seen), district);
    for (Json name = json_first(plots); name; name = json_next(json_value(name))) {
        fifth_avenue_plot plot = as_fifth_avenue_plot(json_value(name));
        int owner = fifth_avenue_plot_owner(plot, -1); /* with two players seat 2 is Alea, who gets no points */
        if (owner >= 0 && owner < seats && owner < MOST_SEATS)
            points[owner] += fifth_avenue_plot_value(plot) * fifth_avenue_plot_skyscrapers(plot);
    }
    for (int seat = 0; seat < seats && seat < MOST_SEATS; seat++)
        if (seat != me && points[seat] > best) best = points[seat];
    return points[me] - best;
}

static int bid(fifth_avenue_observation seen, int supply, const char *suit, int card) {
    fifth_avenue_auction auction = fifth_avenue_observation_auction(seen);
    Json mine = json_item(fifth_avenue_auction_bids(auction), fifth_avenue_observation_seat(seen));
    int missing = fifth_avenue_auction_high(auction) - fifth_avenue_bid_total(as_fifth_avenue_bid(mine));
    if (missing >= 12 || !supply) return -1; /* too dear, or nothing to build with */
    return 10 - card - (is(suit, "black") ? 3 : 0); /* low cards allow more skyscrapers; jokers are worth keeping */
}

/* `observation` is what this seat may know, `word` are the words of the action: `score TS` is "score", "TS". */
static int fifth_avenue(Json observation, char **word, int words) {
    fifth_avenue_observation seen = as_fifth_avenue_observation(observation);
    Json own = json_item(fifth_avenue_observation_seats(seen), fifth_avenue_observation_seat(seen));
    int supply = fifth_avenue_seat_supply(as_fifth_avenue_seat(own));
    if (is(word[0], "place")) { /* the first skyscrapers: where there is business next door */
        char *dot = strchr(word[1], '.');
        if (!dot) return 0;
        *dot = 0;
        Json plots = json_field(fifth_avenue_observation_board(seen), word[1]);
        return fifth_avenue_plot_value(as_fifth_avenue_plot(json_field(plots, dot + 1)));
    }
    if (is(word[0], "score")) return 2 * lead(seen, word[1]); /* worth it if I get more than the others */
    if (is(word[0], "skyscrapers")) return supply < 3 ? 3 : 0;
    if (is(word[0], "commissioner")) return 1; /* brings a black card, which is a joker */
    if (is(word[0], "draw")) { /* high cards win auctions */
        int sum = 0;
        for (int at = 1; at < words; at++) {
            Json stack = json_field(fifth_avenue_observation_stacks(seen), word[at]);
            sum += fifth_avenue_stack_top(as_fifth_avenue_stack(stack), 0);
        }
        return sum;
    }
    if (is(word[0], "move")) return lead(seen, word[2]); /* to where a scoring would be good for me */
    if (is(word[0], "bid")) return bid(seen, supply, word[1], atoi(word[2]));
    if (is(word[0], "done")) return 100;
    if (is(word[0], "build")) return atoi(word[1]);
    return is(word[0], "stop") ? -1 : 0; /* business, pass */
}

/* -- Manhattan ---------------------------------------------------------------------------------------------------- */

static int manhattan(Json observation, char **word, int words) {
    manhattan_observation seen = as_manhattan_observation(observation);
    manhattan_seat me =
        as_manhattan_seat(json_item(manhattan_observation_seats(seen), manhattan_observation_seat(seen)));
    if (is(word[0], "select")) { /* something of everything */
        int chosen[10] = {0}, different = 0;
        for (int at = 1; at < words; at++) different += !chosen[word[at][0] - '0']++;
        return different;
    }
    if (is(word[0], "build")) {
        /* Which site a card means depends on where one sits. */
        int site = json_whole(json_item(manhattan_seat_sites(me), atoi(word[1]) - 1), 1), height = atoi(word[3]);
        Json there = json_item(json_field(manhattan_observation_cities(seen), word[2]), site - 1);
        if (json_is_null(there)) return 6 - height;
        manhattan_tower tower = as_manhattan_tower(there);
        char owner[LONGEST];
        json_copy(manhattan_tower_owner(tower), owner, sizeof owner);
        for (Json colour = json_first(manhattan_seat_colours(me)); colour; colour = json_next(colour))
            if (json_is(colour, owner)) return 0;
        return 8 + manhattan_tower_height(tower) - height; /* he loses a point and I win one, with the lowest block */
    }
    return is(word[0], "discard") ? -atoi(word[2]) : 0;
}

/* -- New York ----------------------------------------------------------------------------------------------------- */

/* Whether a stone of the colour that I place or give up stands there; none does beyond the edge of the board. */
static int mine(new_york_observation seen, int avenue, int street) {
    char colour[LONGEST];
    Json stone = new_york_observation_stone(seen);
    json_copy(json_is_null(stone) ? new_york_observation_colour(seen) : stone, colour, sizeof colour);
    if (avenue < 1 || street < 1) return 0;
    return json_is(json_item(json_item(new_york_observation_board(seen), avenue - 1), street - 1), colour);
}

/* How many stones of mine are beside it. */
static int touching(new_york_observation seen, int avenue, int street) {
    return mine(seen, avenue - 1, street) + mine(seen, avenue + 1, street) + mine(seen, avenue, street - 1) +
           mine(seen, avenue, street + 1);
}

/* What a stone of mine there is worth: the longest chain counts double, so it should touch others of mine. */
static int crossing(new_york_observation seen, int avenue, int street) {
    if (mine(seen, avenue, street)) return -10; /* it would go back to my stock */
    Json there = json_item(json_item(new_york_observation_board(seen), avenue - 1), street - 1);
    return 3 * touching(seen, avenue, street) + (json_is_null(there) ? 3 : 1); /* what is free costs nothing */
}

/* The crossing that a name means: a3s5 is where avenue 3 crosses street 5. */
static int cell(new_york_observation seen, const char *name) {
    int avenue = 0, street = 0;
    return sscanf(name, "a%ds%d", &avenue, &street) == 2 ? crossing(seen, avenue, street) : 0;
}

static int new_york(Json observation, char **word, int words) {
    new_york_observation seen = as_new_york_observation(observation);
    (void)words;
    if (json_is(new_york_observation_phase(seen), "first-stones")) return 0; /* nobody knows yet whose these will be */
    if (is(word[0], "use"))
        return new_york_colour_board(as_new_york_colour(json_field(new_york_observation_colours(seen), word[1])));
    if (is(word[0], "play")) { /* a star marks a joker, which is worth keeping */
        int red = *word[1] == '*', blue = *word[2] == '*';
        return crossing(seen, atoi(word[1] + red), atoi(word[2] + blue)) - red - blue;
    }
    if (is(word[0], "place")) return cell(seen, word[1]);
    if (is(word[0], "remove")) return -touching(seen, word[1][1] - '0', word[1][3] - '0');
    if (is(word[0], "developer")) return cell(seen, word[3]) + 2;
    return is(word[0], "speculation") || is(word[0], "statics") ? 4 : 0; /* renovation, ruin, redraw, pass */
}

/* -- the choice --------------------------------------------------------------------------------------------------- */

typedef int (*Game)(Json observation, char **word, int words);

static int unknown(Json observation, char **word, int words) {
    (void)observation, (void)word, (void)words;
    return 0;
}

static Game game_of(start message) {
    Json name = start_game(message);
    if (json_is(name, "fifth-avenue")) return fifth_avenue;
    if (json_is(name, "manhattan")) return manhattan;
    return json_is(name, "new-york") ? new_york : unknown;
}

/* Chance from `bot_seed`, so that the same game played again is the same game. */
static unsigned dice;

static void seed_dice(Json bot_seed) {
    char digits[LONGEST];
    json_copy(bot_seed, digits, sizeof digits);
    size_t length = strlen(digits);
    dice = (unsigned)strtoul(digits + (length > 7 ? length - 7 : 0), NULL, 16);
}

static int roll(int sides) {
    dice = (dice * 1103515245u + 12345u) & 0x7fffffffu;
    return (int)(dice >> 16) % sides;
}

/* The value of an action, by its words. */
static int value_of(Json action, Json observation, Game game) {
    char text[LONGEST], *word[MOST_WORDS], *rest = text;
    int words = 0;
    json_copy(action, text, sizeof text);
    for (int at = 0; at < MOST_WORDS; at++) word[at] = "";
    for (char *at; words < MOST_WORDS && (at = strtok_r(rest, " ", &rest));) word[words++] = at;
    return game(observation, word, words);
}

static void answer(decide message, Game game) {
    Json legal = decide_legal(message);
    int count = json_count(legal), ties = 0, best = 0;
    Json *best_actions = malloc(sizeof(Json) * (size_t)(count + 1));
    if (!best_actions) exit(1);
    for (Json action = json_first(legal); action; action = json_next(action)) {
        int value = value_of(action, decide_observation(message), game);
        if (!ties || value > best) ties = 0, best = value;
        if (value == best) best_actions[ties++] = action;
    }
    char text[LONGEST];
    json_copy(ties ? best_actions[roll(ties)] : NULL, text, sizeof text);
    free(best_actions);
    printf("{\"id\":%d,\"action\":\"%s\"}\n", decide_id(message), text);
}

/* -- the protocol: a line of JSON comes, a line of JSON goes ------------------------------------------------------- */

/* Only answers go to standard output. Print what you want to see yourself with fprintf(stderr, ...). */
int main(void) {
    char *line = NULL;
    size_t space = 0;
    Game game = unknown;
    while (getline(&line, &space, stdin) > 0) {
        Json message = json_blank(line), type = json_field(message, "type");
        if (json_is(type, "hello")) /* what is not wanted is not computed, and the bot is asked sooner */
            puts("{\"type\":\"ready\",\"wants\":[\"legal\",\"observation\"]}");
        else if (json_is(type, "start")) { /* a new game: nothing is left of the last one */
            game = game_of(as_start(message));
            seed_dice(start_bot_seed(as_start(message)));
            puts("{\"type\":\"ready\"}");
        } else if (json_is(type, "decide"))
            answer(as_decide(message), game);
        else if (json_is(type, "quit"))
            break; /* `end` and whatever else may come is not answered */
        fflush(stdout); /* a pipe keeps lines back until it is told not to */
    }
    free(line);
    return 0;
}
