import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToIntFunction;

/**
 * A bot with a few simple rules. Change them, and see with `fa tournament run` whether it has become better.
 *
 * For each decision the referee sends a line with an observation (all that this seat may know) and the legal actions.
 * Each game below has a function that gives an action a value, in whole numbers; of the actions with the highest value
 * one is played. Which words an action is made of, and what they mean: `fa rules GAME`.
 */
final class Bot {
    // -- Fifth Avenue -------------------------------------------------------------------------------------------------

    /** `seen` is the observation, `words` are those of the action: `score TS` is "score", "TS". */
    static int fifthAvenue(FifthAvenueObservation seen, String[] words) {
        int supply = seen.seats().get(seen.seat()).supply();
        switch (words[0]) {
            case "place": { // the first skyscrapers: where there is business next door
                String[] place = words[1].split("\\.");
                return seen.board().get(place[0]).get(place[1]).value();
            }
            case "score": // worth it if I get more than the others
                return 2 * lead(seen, words[1]);
            case "skyscrapers":
                return supply < 3 ? 3 : 0;
            case "commissioner": // brings a black card, which is a joker
                return 1;
            case "draw": { // high cards win auctions
                int sum = 0;
                for (int at = 1; at < words.length; at++) {
                    FifthAvenueStack stack = seen.stacks().get(words[at]);
                    if (stack != null && stack.top() != null) sum += stack.top();
                }
                return sum;
            }
            case "move": // to where a scoring would be good for me
                return lead(seen, words[2]);
            case "bid": {
                FifthAvenueAuction auction = seen.auction();
                int missing = auction == null ? 0 : auction.high() - auction.bids().get(seen.seat()).total();
                if (missing >= 12 || supply == 0) return -1; // too dear, or nothing to build with
                // Low cards allow more skyscrapers; jokers are worth keeping.
                return 10 - Integer.parseInt(words[2]) - (words[1].equals("black") ? 3 : 0);
            }
            case "done":
                return 100;
            case "build":
                return Integer.parseInt(words[1]);
            case "stop":
                return -1;
            default:
                return 0; // business, pass
        }
    }

    /** What I would get if the district were scored now, less what the best of the others would. */
    static int lead(FifthAvenueObservation seen, String district) {
        int[] points = new int[seen.seats().size()];
        for (FifthAvenuePlot plot : seen.board().getOrDefault(district, Map.of()).values()) {
            // With two players seat 2 is Alea, who gets no points.
            if (plot.owner() != null && plot.owner() < points.length) {
                points[plot.owner()] += plot.value() * plot.skyscrapers();
            }
        }
        int best = 0;
        for (int seat = 0; seat < points.length; seat++) {
            if (seat != seen.seat()) best = Math.max(best, points[seat]);
        }
        return points[seen.seat()] - best;
    }

    // -- Manhattan ----------------------------------------------------------------------------------------------------

    static int manhattan(ManhattanObservation seen, String[] words) {
        ManhattanSeat me = seen.seats().get(seen.seat());
        switch (words[0]) {
            case "select": // something of everything
                return new HashSet<>(Arrays.asList(words).subList(1, words.length)).size();
            case "build": {
                int site = me.sites().get(Integer.parseInt(words[1]) - 1); // it depends on where one sits
                ManhattanTower tower = seen.cities().get(words[2]).get(site - 1);
                int height = Integer.parseInt(words[3]);
                if (tower == null) return 6 - height;
                if (me.colours().contains(tower.owner())) return 0;
                // He loses a point and I win one, with the lowest block that will do.
                return 8 + tower.height() - height;
            }
            case "discard":
                return -Integer.parseInt(words[2]);
            default:
                return 0;
        }
    }

    // -- New York -----------------------------------------------------------------------------------------------------

    static int newYork(NewYorkObservation seen, String[] words) {
        if (seen.phase().equals("first-stones")) return 0; // nobody knows yet whose stones these will be
        switch (words[0]) {
            case "use":
                return seen.colours().get(words[1]).board();
            case "play": { // a star marks a joker, which is worth keeping
                int red = words[1].startsWith("*") ? 1 : 0;
                int blue = words[2].startsWith("*") ? 1 : 0;
                int avenue = Integer.parseInt(words[1].substring(red));
                int street = Integer.parseInt(words[2].substring(blue));
                return crossing(seen, avenue, street) - red - blue;
            }
            case "place":
                return cell(seen, words[1]);
            case "remove":
                return -touching(seen, words[1].charAt(1) - '0', words[1].charAt(3) - '0');
            case "developer":
                return cell(seen, words[3]) + 2;
            case "speculation":
            case "statics":
                return 4;
            default:
                return 0; // renovation, ruin, redraw, pass
        }
    }

    /** The crossing that a name means: a3s5 is where avenue 3 crosses street 5. */
    static int cell(NewYorkObservation seen, String name) {
        return crossing(seen, name.charAt(1) - '0', name.charAt(3) - '0');
    }

    /** What a stone of mine there is worth: the longest chain counts double, so it should touch others of mine. */
    static int crossing(NewYorkObservation seen, int avenue, int street) {
        if (mine(seen, avenue, street)) return -10; // it would go back to my stock
        boolean free = seen.board().get(avenue - 1).get(street - 1) == null;
        return 3 * touching(seen, avenue, street) + (free ? 3 : 1); // what is free costs nothing
    }

    /** How many stones of mine are beside it. */
    static int touching(NewYorkObservation seen, int avenue, int street) {
        int found = 0;
        for (int[] step : new int[][] {{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
            if (mine(seen, avenue + step[0], street + step[1])) found++;
        }
        return found;
    }

    /** Whether a stone of the colour that I place or give up stands there; none does beyond the edge of the board. */
    static boolean mine(NewYorkObservation seen, int avenue, int street) {
        String colour = seen.stone() != null ? seen.stone() : seen.colour();
        if (avenue < 1 || avenue > 7 || street < 1 || street > 7) return false;
        return Objects.equals(seen.board().get(avenue - 1).get(street - 1), colour);
    }

    // -- the choice ---------------------------------------------------------------------------------------------------

    /** Chance from `bot_seed`, so that the same game played again is the same game. */
    static final class Dice {
        private long state;

        Dice(String botSeed) {
            state = Long.parseLong(botSeed.substring(botSeed.length() - 7), 16);
        }

        String pick(List<String> actions) {
            state = (state * 1103515245L + 12345L) % (1L << 31);
            return actions.get((int) (state >> 16) % actions.size());
        }
    }

    /** What values an action, given the observation. */
    static ToIntFunction<String[]> valuing(String game, Json observation) {
        switch (game) {
            case "fifth-avenue": {
                FifthAvenueObservation seen = FifthAvenueObservation.decode(observation);
                return words -> fifthAvenue(seen, words);
            }
            case "manhattan": {
                ManhattanObservation seen = ManhattanObservation.decode(observation);
                return words -> manhattan(seen, words);
            }
            case "new-york": {
                NewYorkObservation seen = NewYorkObservation.decode(observation);
                return words -> newYork(seen, words);
            }
            default:
                return words -> 0;
        }
    }

    static String choose(Decide decide, String game, Dice dice) {
        ToIntFunction<String[]> value = valuing(game, decide.observation());
        List<String> ties = new ArrayList<>();
        int best = 0;
        for (String action : decide.legal()) {
            int worth = value.applyAsInt(action.split(" "));
            if (ties.isEmpty() || worth > best) {
                ties.clear();
                best = worth;
            }
            if (worth == best) ties.add(action);
        }
        return dice.pick(ties);
    }

    // -- the protocol: a line of JSON comes, a line of JSON goes ------------------------------------------------------

    /** Only answers go to standard output. Print what you want to see yourself to System.err. */
    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8); // true: each line is flushed
        String game = "";
        Dice dice = new Dice("0000000");
        for (String line; (line = input.readLine()) != null;) {
            Json message = Json.parse(line);
            switch (message.get("type").text()) {
                case "hello": // what is not wanted is not computed, and the bot is asked sooner
                    output.println(new Ready(null, null, null, null, List.of("legal", "observation")).encode());
                    break;
                case "start": { // a new game: nothing is left of the last one
                    Start start = Start.decode(message);
                    game = start.game();
                    dice = new Dice(start.botSeed());
                    output.println(new Ready(null, null, null, null, null).encode());
                    break;
                }
                case "decide": {
                    Decide decide = Decide.decode(message);
                    output.println(new Answer(choose(decide, game, dice), decide.id()).encode());
                    break;
                }
                case "quit":
                    return;
                default: // `end` and whatever else may come is not answered
            }
        }
    }
}
