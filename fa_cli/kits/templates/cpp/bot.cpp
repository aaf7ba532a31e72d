// A bot with a few simple rules. Change them, and see with `fa tournament run` whether it has become better.
//
// For each decision the referee sends a line with an observation (all that this seat may know) and the legal actions.
// Each game below has a function that gives an action a value, in whole numbers; of the actions with the highest value
// one is played. Which words an action is made of, and what they mean: `fa rules GAME`.
#include "json.hpp"
#include "messages.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iostream>
#include <set>
#include <sstream>

using Words = std::vector<std::string>;

// -- Fifth Avenue -----------------------------------------------------------------------------------------------------

// What I would get if the district were scored now, less what the best of the others would.
static int lead(const FifthAvenueObservation& seen, const std::string& district) {
    std::vector<int> points(seen.seats.size());
    auto plots = seen.board.find(district);
    if (plots == seen.board.end()) return 0;  // a stopped one is not there
    for (const auto& [name, plot] : plots->second) {
        // With two players seat 2 is Alea, who gets no points.
        if (plot.owner && *plot.owner < static_cast<int>(points.size()))
            points[*plot.owner] += plot.value * plot.skyscrapers;
    }
    int mine = points[seen.seat];
    points.erase(points.begin() + seen.seat);
    return mine - *std::max_element(points.begin(), points.end());
}

// `seen` is the observation, `words` are those of the action: `score TS` is {"score", "TS"}.
static int fifth_avenue(const FifthAvenueObservation& seen, const Words& words) {
    const std::string& kind = words[0];
    int supply = seen.seats[seen.seat].supply;
    if (kind == "place") {  // the first skyscrapers: where there is business next door
        auto dot = words[1].find('.');
        return seen.board.at(words[1].substr(0, dot)).at(words[1].substr(dot + 1)).value;
    }
    if (kind == "score") return 2 * lead(seen, words[1]);  // worth it if I get more than the others
    if (kind == "skyscrapers") return supply < 3 ? 3 : 0;
    if (kind == "commissioner") return 1;  // brings a black card, which is a joker
    if (kind == "draw") {                  // high cards win auctions
        int sum = 0;
        for (std::size_t at = 1; at < words.size(); at++) {
            auto stack = seen.stacks.find(words[at]);
            if (stack != seen.stacks.end()) sum += stack->second.top.value_or(0);
        }
        return sum;
    }
    if (kind == "move") return lead(seen, words[2]);  // to where a scoring would be good for me
    if (kind == "bid") {
        int missing = seen.auction ? seen.auction->high - seen.auction->bids[seen.seat].total : 0;
        if (missing >= 12 || supply == 0) return -1;  // too dear, or nothing to build with
        // Low cards allow more skyscrapers; jokers are worth keeping.
        return 10 - std::stoi(words[2]) - (words[1] == "black" ? 3 : 0);
    }
    if (kind == "done") return 100;
    if (kind == "build") return std::stoi(words[1]);
    return kind == "stop" ? -1 : 0;  // business, pass
}

// -- Manhattan --------------------------------------------------------------------------------------------------------

static int manhattan(const ManhattanObservation& seen, const Words& words) {
    const std::string& kind = words[0];
    const ManhattanSeat& me = seen.seats[seen.seat];
    if (kind == "select")  // something of everything
        return static_cast<int>(std::set<std::string>(words.begin() + 1, words.end()).size());
    if (kind == "build") {
        int site = me.sites[std::stoi(words[1]) - 1];  // which site a card means depends on where one sits
        int height = std::stoi(words[3]);
        const auto& tower = seen.cities.at(words[2])[site - 1];
        if (!tower) return 6 - height;
        if (std::count(me.colours.begin(), me.colours.end(), tower->owner)) return 0;
        return 8 + tower->height - height;  // he loses a point and I win one, with the lowest block that will do
    }
    return kind == "discard" ? -std::stoi(words[2]) : 0;
}

// -- New York ---------------------------------------------------------------------------------------------------------

// Whether a stone of the colour that I place or give up stands there; none does beyond the edge of the board.
static bool mine(const NewYorkObservation& seen, int avenue, int street) {
    bool on_board = avenue >= 1 && avenue <= 7 && street >= 1 && street <= 7;
    return on_board && seen.board[avenue - 1][street - 1] == (seen.stone ? seen.stone : seen.colour);
}

// How many stones of mine are beside it.
static int touching(const NewYorkObservation& seen, int avenue, int street) {
    int in_street = mine(seen, avenue - 1, street) + mine(seen, avenue + 1, street);
    return in_street + mine(seen, avenue, street - 1) + mine(seen, avenue, street + 1);
}

// What a stone of mine there is worth: the longest chain counts double, so it should touch others of mine.
static int crossing(const NewYorkObservation& seen, int avenue, int street) {
    if (mine(seen, avenue, street)) return -10;  // it would go back to my stock
    bool free = !seen.board[avenue - 1][street - 1];
    return 3 * touching(seen, avenue, street) + (free ? 3 : 1);  // what is free costs nothing
}

// The crossing that a name means: a3s5 is where avenue 3 crosses street 5.
static int cell(const NewYorkObservation& seen, const std::string& name) {
    return crossing(seen, name.at(1) - '0', name.at(3) - '0');
}

static int new_york(const NewYorkObservation& seen, const Words& words) {
    const std::string& kind = words[0];
    if (seen.phase == "first-stones") return 0;  // nobody knows yet whose stones these will be
    if (kind == "use") return seen.colours.at(words[1]).board;
    if (kind == "play") {  // a star marks a joker, which is worth keeping
        int red = words[1][0] == '*', blue = words[2][0] == '*';
        return crossing(seen, std::stoi(words[1].substr(red)), std::stoi(words[2].substr(blue))) - red - blue;
    }
    if (kind == "place") return cell(seen, words[1]);
    if (kind == "remove") return -touching(seen, words[1].at(1) - '0', words[1].at(3) - '0');
    if (kind == "developer") return cell(seen, words[3]) + 2;
    return kind == "speculation" || kind == "statics" ? 4 : 0;  // renovation, ruin, redraw, pass
}

// -- the choice -------------------------------------------------------------------------------------------------------

// Chance from `bot_seed`, so that the same game played again is the same game.
class Dice {
public:
    explicit Dice(const std::string& bot_seed = "0000000")
        : state_(static_cast<std::uint32_t>(std::stoul(bot_seed.substr(bot_seed.size() - 7), nullptr, 16))) {}

    const std::string& pick(const std::vector<std::string>& actions) {
        state_ = (state_ * 1103515245u + 12345u) & 0x7fffffffu;
        return actions[(state_ >> 16) % actions.size()];
    }

private:
    std::uint32_t state_;
};

static Words split(const std::string& action) {
    std::istringstream text(action);
    Words words;
    for (std::string word; text >> word;) words.push_back(word);
    return words;
}

using Value = std::function<int(const Words&)>;

// What values an action, given the observation.
static Value valuing(const std::string& game, const Json& observation) {
    if (game == "fifth-avenue") {
        auto seen = FifthAvenueObservation::decode(observation);
        return [seen](const Words& words) { return fifth_avenue(seen, words); };
    }
    if (game == "manhattan") {
        auto seen = ManhattanObservation::decode(observation);
        return [seen](const Words& words) { return manhattan(seen, words); };
    }
    if (game == "new-york") {
        auto seen = NewYorkObservation::decode(observation);
        return [seen](const Words& words) { return new_york(seen, words); };
    }
    return [](const Words&) { return 0; };
}

static std::string choose(const Decide& decide, const std::string& game, Dice& dice) {
    Value value = valuing(game, decide.observation);
    std::vector<std::string> ties;
    int best = 0;
    for (const std::string& action : decide.legal) {
        int worth = value(split(action));
        if (ties.empty() || worth > best) {
            ties.clear();
            best = worth;
        }
        if (worth == best) ties.push_back(action);
    }
    return dice.pick(ties);
}

// -- the protocol: a line of JSON comes, a line of JSON goes ----------------------------------------------------------

// Only answers go to standard output. Print what you want to see yourself to std::cerr.
static void say(const std::string& answer) {
    std::cout << answer << std::endl;  // endl flushes: a pipe keeps lines back until it is told not to
}

int main() {
    std::ios::sync_with_stdio(false);
    std::string game;
    Dice dice;
    for (std::string line; std::getline(std::cin, line);) {
        Json message = Json::parse(line);
        std::string type = message.get("type").text();
        if (type == "hello") {
            Ready ready;
            ready.wants = {"legal", "observation"};  // what is not wanted is not computed, and the bot is asked sooner
            say(ready.encode());
        } else if (type == "start") {  // a new game: nothing is left of the last one
            Start start = Start::decode(message);
            game = start.game;
            dice = Dice(start.bot_seed);
            say(Ready().encode());
        } else if (type == "decide") {
            Decide decide = Decide::decode(message);
            say(Answer{choose(decide, game, dice), decide.id}.encode());
        } else if (type == "quit") {
            break;
        }  // `end` and whatever else may come is not answered
    }
}
