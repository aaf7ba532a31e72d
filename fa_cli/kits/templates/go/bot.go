// A bot with a few simple rules. Change them, and see with `fa tournament run` whether it has become better.
//
// For each decision the referee sends a line with an observation (all that this seat may know) and the legal actions.
// Each game below has a function that gives an action a value, in whole numbers; of the actions with the highest value
// one is played. Which words an action is made of, and what they mean: `fa rules GAME`.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// -- Fifth Avenue -----------------------------------------------------------------------------------------------------

// fifthAvenue gets the observation and the words of the action: `score TS` is {"score", "TS"}.
func fifthAvenue(seen *FifthAvenueObservation, words []string) int {
	supply := seen.Seats[seen.Seat].Supply
	switch words[0] {
	case "place": // the first skyscrapers: where there is business next door
		district, plot, _ := strings.Cut(words[1], ".")
		return seen.Board[district][plot].Value
	case "score": // worth it if I get more than the others
		return 2 * lead(seen, words[1])
	case "skyscrapers":
		if supply < 3 {
			return 3
		}
	case "commissioner": // brings a black card, which is a joker
		return 1
	case "draw": // high cards win auctions
		sum := 0
		for _, colour := range words[1:] {
			if top := seen.Stacks[colour].Top; top != nil {
				sum += *top
			}
		}
		return sum
	case "move": // to where a scoring would be good for me
		return lead(seen, words[2])
	case "bid":
		missing := 0
		if seen.Auction != nil {
			missing = seen.Auction.High - seen.Auction.Bids[seen.Seat].Total
		}
		if missing >= 12 || supply == 0 {
			return -1 // too dear, or nothing to build with
		}
		// Low cards allow more skyscrapers; jokers are worth keeping.
		if words[1] == "black" {
			return 7 - number(words[2])
		}
		return 10 - number(words[2])
	case "done":
		return 100
	case "build":
		return number(words[1])
	case "stop":
		return -1
	}
	return 0 // business, pass
}

// lead is what I would get if the district were scored now, less what the best of the others would.
func lead(seen *FifthAvenueObservation, district string) int {
	points := make([]int, len(seen.Seats))
	for _, plot := range seen.Board[district] {
		// With two players seat 2 is Alea, who gets no points.
		if plot.Owner != nil && *plot.Owner < len(points) {
			points[*plot.Owner] += plot.Value * plot.Skyscrapers
		}
	}
	best := 0
	for seat, theirs := range points {
		if seat != seen.Seat && theirs > best {
			best = theirs
		}
	}
	return points[seen.Seat] - best
}

// -- Manhattan --------------------------------------------------------------------------------------------------------

func manhattan(seen *ManhattanObservation, words []string) int {
	me := seen.Seats[seen.Seat]
	switch words[0] {
	case "select": // something of everything
		heights := map[string]bool{}
		for _, height := range words[1:] {
			heights[height] = true
		}
		return len(heights)
	case "build":
		site := me.Sites[number(words[1])-1] // which site a card means depends on where one sits
		tower, height := seen.Cities[words[2]][site-1], number(words[3])
		if tower == nil {
			return 6 - height
		}
		for _, colour := range me.Colours {
			if tower.Owner == colour {
				return 0
			}
		}
		return 8 + tower.Height - height // he loses a point and I win one, with the lowest block that will do
	case "discard":
		return -number(words[2])
	}
	return 0
}

// -- New York ---------------------------------------------------------------------------------------------------------

func newYork(seen *NewYorkObservation, words []string) int {
	if seen.Phase == "first-stones" {
		return 0 // nobody knows yet whose stones these will be
	}
	switch words[0] {
	case "use":
		return seen.Colours[words[1]].Board
	case "play": // a star marks a joker, which is worth keeping
		jokers := strings.Count(words[1]+words[2], "*")
		return crossing(seen, number(strings.Trim(words[1], "*")), number(strings.Trim(words[2], "*"))) - jokers
	case "place":
		return cell(seen, words[1])
	case "remove":
		return -touching(seen, number(words[1][1:2]), number(words[1][3:4]))
	case "developer":
		return cell(seen, words[3]) + 2
	case "speculation", "statics":
		return 4
	}
	return 0 // renovation, ruin, redraw, pass
}

// cell is the crossing that a name means: a3s5 is where avenue 3 crosses street 5.
func cell(seen *NewYorkObservation, name string) int {
	return crossing(seen, number(name[1:2]), number(name[3:4]))
}

// crossing is what a stone of mine there is worth: the longest chain counts double, so it should touch others of mine.
func crossing(seen *NewYorkObservation, avenue, street int) int {
	if mine(seen, avenue, street) {
		return -10 // it would go back to my stock
	}
	value := 1
	if seen.Board[avenue-1][street-1] == nil {
		value = 3 // what is free costs nothing
	}
	return value + 3*touching(seen, avenue, street)
}

// touching is how many stones of mine are beside it.
func touching(seen *NewYorkObservation, avenue, street int) int {
	found := 0
	for _, step := range [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
		if mine(seen, avenue+step[0], street+step[1]) {
			found++
		}
	}
	return found
}

// mine is whether a stone of the colour that I place or give up stands there; none does beyond the edge of the board.
func mine(seen *NewYorkObservation, avenue, street int) bool {
	colour := seen.Colour
	if seen.Stone != nil {
		colour = seen.Stone
	}
	if avenue < 1 || avenue > 7 || street < 1 || street > 7 {
		return false
	}
	there := seen.Board[avenue-1][street-1]
	return there != nil && colour != nil && *there == *colour
}

// -- the choice -------------------------------------------------------------------------------------------------------

func number(word string) int {
	value, _ := strconv.Atoi(word)
	return value
}

// dice is chance from `bot_seed`, so that the same game played again is the same game.
type dice uint64

func newDice(botSeed string) dice {
	start, _ := strconv.ParseUint(botSeed[len(botSeed)-7:], 16, 64)
	return dice(start)
}

func (state *dice) pick(actions []string) string {
	*state = (*state*1103515245 + 12345) % (1 << 31)
	return actions[int(*state>>16)%len(actions)]
}

// valuer reads the observation and gives back what values an action.
func valuer[Seen any](value func(*Seen, []string) int) func(json.RawMessage) func([]string) int {
	return func(observation json.RawMessage) func([]string) int {
		seen := new(Seen)
		must(json.Unmarshal(observation, seen))
		return func(words []string) int { return value(seen, words) }
	}
}

var games = map[string]func(json.RawMessage) func([]string) int{
	"fifth-avenue": valuer(fifthAvenue),
	"manhattan":    valuer(manhattan),
	"new-york":     valuer(newYork),
}

func choose(decide *Decide, game string, state *dice) string {
	value := func([]string) int { return 0 }
	if read, known := games[game]; known {
		value = read(decide.Observation)
	}
	var ties []string
	best := 0
	for _, action := range decide.Legal {
		worth := value(strings.Fields(action))
		if ties == nil || worth > best {
			ties, best = []string{action}, worth
		} else if worth == best {
			ties = append(ties, action)
		}
	}
	return state.pick(ties)
}

// -- the protocol: a line of JSON comes, a line of JSON goes ----------------------------------------------------------

// must ends the bot where something can't be; what it says on standard error is shown with the fault.
func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// say writes a line. Only answers go to standard output; print what you want to see yourself to os.Stderr.
func say(answer any) {
	line, err := json.Marshal(answer)
	must(err)
	fmt.Printf("%s\n", line) // not buffered in Go
}

func main() {
	input := bufio.NewReader(os.Stdin)
	var game string
	var state dice
	for {
		line, err := input.ReadBytes('\n')
		if err == io.EOF {
			return
		}
		must(err)
		var message struct{ Type string }
		must(json.Unmarshal(line, &message))
		switch message.Type {
		case "hello": // what is not wanted is not computed, and the bot is asked sooner
			say(Ready{Type: "ready", Wants: []string{"legal", "observation"}})
		case "start": // a new game: nothing is left of the last one
			var start Start
			must(json.Unmarshal(line, &start))
			game, state = start.Game, newDice(start.BotSeed)
			say(Ready{Type: "ready"})
		case "decide":
			var decide Decide
			must(json.Unmarshal(line, &decide))
			say(Answer{Action: choose(&decide, game, &state), Id: &decide.Id})
		case "quit":
			return
		} // `end` and whatever else may come is not answered
	}
}
