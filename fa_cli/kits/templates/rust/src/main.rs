//! A bot with a few simple rules. Change them, and see with `fa tournament run` whether it has become better.
//!
//! For each decision the referee sends a line with an observation (all that this seat may know) and the legal actions.
//! Each game below has a function that gives an action a value, in whole numbers; of the actions with the highest value
//! one is played. Which words an action is made of, and what they mean: `fa rules GAME`.

mod json;
mod messages;

use json::Json;
use messages::*;
use std::io::{self, BufRead, Write};

// -- Fifth Avenue -----------------------------------------------------------------------------------------------------

/// `seen` is the observation, `words` are those of the action: `score TS` is `["score", "TS"]`.
fn fifth_avenue(seen: &FifthAvenueObservation, words: &[&str]) -> i64 {
    let supply = seen.seats[seen.seat as usize].supply;
    match words {
        // the first skyscrapers: where there is business next door
        ["place", place] => place.split_once('.').map_or(0, |(district, plot)| seen.board[district][plot].value),
        ["score", district] => 2 * lead(seen, district), // worth it if I get more than the others
        ["skyscrapers"] if supply < 3 => 3,
        ["commissioner"] => 1, // brings a black card, which is a joker
        // high cards win auctions
        ["draw", colours @ ..] => {
            colours.iter().filter_map(|colour| seen.stacks.get(*colour)).map(|stack| stack.top.unwrap_or(0)).sum()
        }
        ["move", _, place] => lead(seen, place), // to where a scoring would be good for me
        ["bid", suit, card] => {
            let missing = seen.auction.as_ref().map_or(0, |at| at.high - at.bids[seen.seat as usize].total);
            if missing >= 12 || supply == 0 {
                return -1; // too dear, or nothing to build with
            }
            // Low cards allow more skyscrapers; jokers are worth keeping.
            10 - number(card) - if *suit == "black" { 3 } else { 0 }
        }
        ["done"] => 100,
        ["build", count] => number(count),
        ["stop"] => -1,
        _ => 0, // business, pass
    }
}

/// What I would get if the district were scored now, less what the best of the others would.
fn lead(seen: &FifthAvenueObservation, district: &str) -> i64 {
    let mut points = vec![0; seen.seats.len()];
    for plot in seen.board.get(district).iter().flat_map(|plots| plots.values()) {
        // With two players seat 2 is Alea, who gets no points.
        if let Some(points) = plot.owner.and_then(|owner| points.get_mut(owner as usize)) {
            *points += plot.value * plot.skyscrapers;
        }
    }
    let mine = points.remove(seen.seat as usize);
    mine - points.iter().max().unwrap_or(&0)
}

// -- Manhattan --------------------------------------------------------------------------------------------------------

fn manhattan(seen: &ManhattanObservation, words: &[&str]) -> i64 {
    let me = &seen.seats[seen.seat as usize];
    match words {
        // something of everything
        ["select", heights @ ..] => {
            ["1", "2", "3", "4"].iter().filter(|height| heights.contains(height)).count() as i64
        }
        ["build", card, city, height, ..] => {
            let site = me.sites[number(card) as usize - 1]; // which site a card means depends on where one sits
            match &seen.cities[*city][site as usize - 1] {
                None => 6 - number(height),
                Some(tower) if me.colours.contains(&tower.owner) => 0,
                // He loses a point and I win one, with the lowest block that will do.
                Some(tower) => 8 + tower.height - number(height),
            }
        }
        ["discard", _, height, ..] => -number(height),
        _ => 0,
    }
}

// -- New York ---------------------------------------------------------------------------------------------------------

fn new_york(seen: &NewYorkObservation, words: &[&str]) -> i64 {
    if seen.phase == "first-stones" {
        return 0; // nobody knows yet whose stones these will be
    }
    match words {
        ["use", colour] => seen.colours[*colour].board,
        // a star marks a joker, which is worth keeping
        ["play", avenue, street] => {
            let jokers = [avenue, street].iter().filter(|card| card.starts_with('*')).count() as i64;
            crossing(seen, number(avenue.trim_start_matches('*')), number(street.trim_start_matches('*'))) - jokers
        }
        ["place", cell] => named(seen, cell),
        ["remove", cell] => -touching(seen, number(&cell[1..2]), number(&cell[3..4])),
        ["developer", _, _, cell] => named(seen, cell) + 2,
        ["speculation" | "statics", ..] => 4,
        _ => 0, // renovation, ruin, redraw, pass
    }
}

/// The crossing that a name means: a3s5 is where avenue 3 crosses street 5.
fn named(seen: &NewYorkObservation, cell: &str) -> i64 {
    crossing(seen, number(&cell[1..2]), number(&cell[3..4]))
}

/// What a stone of mine there is worth: the longest chain counts double, so it should touch others of mine.
fn crossing(seen: &NewYorkObservation, avenue: i64, street: i64) -> i64 {
    let there = at(seen, avenue, street);
    if there == mine(seen) {
        return -10; // it would go back to my stock
    }
    3 * touching(seen, avenue, street) + if there.is_none() { 3 } else { 1 } // what is free costs nothing
}

/// How many stones of mine are beside it.
fn touching(seen: &NewYorkObservation, avenue: i64, street: i64) -> i64 {
    let beside = [(avenue - 1, street), (avenue + 1, street), (avenue, street - 1), (avenue, street + 1)];
    beside.iter().filter(|(avenue, street)| at(seen, *avenue, *street) == mine(seen)).count() as i64
}

/// The colour that I place or give up.
fn mine(seen: &NewYorkObservation) -> Option<&String> {
    seen.stone.as_ref().or(seen.colour.as_ref())
}

/// The colour that stands there; none beyond the edge of the board, either.
fn at(seen: &NewYorkObservation, avenue: i64, street: i64) -> Option<&String> {
    seen.board.get((avenue - 1) as usize).and_then(|row| row.get((street - 1) as usize)).and_then(|cell| cell.as_ref())
}

// -- the choice -------------------------------------------------------------------------------------------------------

fn number(word: &str) -> i64 {
    word.parse().unwrap_or(0)
}

/// Chance from `bot_seed`, so that the same game played again is the same game.
struct Dice(u64);

impl Dice {
    fn new(bot_seed: &str) -> Dice {
        Dice(u64::from_str_radix(&bot_seed[bot_seed.len().saturating_sub(7)..], 16).unwrap_or(0))
    }

    fn pick<'a>(&mut self, actions: &[&'a String]) -> &'a String {
        self.0 = (self.0 * 1103515245 + 12345) % (1 << 31);
        actions[(self.0 >> 16) as usize % actions.len()]
    }
}

fn choose<'a>(decide: &'a Decide, game: &str, dice: &mut Dice) -> &'a String {
    let values = match game {
        "fifth-avenue" => values(decide, FifthAvenueObservation::decode, fifth_avenue),
        "manhattan" => values(decide, ManhattanObservation::decode, manhattan),
        "new-york" => values(decide, NewYorkObservation::decode, new_york),
        _ => vec![0; decide.legal.len()],
    };
    let best = values.iter().max().copied().unwrap_or(0);
    let ties: Vec<&String> =
        decide.legal.iter().zip(&values).filter(|(_, value)| **value == best).map(|(a, _)| a).collect();
    dice.pick(&ties)
}

/// The value of each legal action.
fn values<Seen>(decide: &Decide, read: fn(&Json) -> Seen, value: fn(&Seen, &[&str]) -> i64) -> Vec<i64> {
    let seen = read(&decide.observation);
    decide.legal.iter().map(|action| value(&seen, &action.split(' ').collect::<Vec<_>>())).collect()
}

// -- the protocol: a line of JSON comes, a line of JSON goes ----------------------------------------------------------

/// Only answers go to standard output. Print what you want to see yourself with eprintln!().
fn say(answer: String) -> io::Result<()> {
    let mut out = io::stdout();
    writeln!(out, "{answer}")?;
    out.flush() // a pipe keeps lines back until it is told not to
}

fn main() -> io::Result<()> {
    let mut game = String::new();
    let mut dice = Dice(0);
    for line in io::stdin().lock().lines() {
        let message = Json::parse(&line?).unwrap_or_default();
        match message.get("type").text().as_str() {
            "hello" => {
                // What is not wanted is not computed, and the bot is asked sooner.
                let wants = Some(vec!["legal".to_string(), "observation".to_string()]);
                say(Ready { wants, ..Ready::default() }.encode())?;
            }
            "start" => {
                let start = Start::decode(&message);
                game = start.game;
                dice = Dice::new(&start.bot_seed); // a new game: nothing is left of the last one
                say(Ready::default().encode())?;
            }
            "decide" => {
                let decide = Decide::decode(&message);
                let action = choose(&decide, &game, &mut dice).clone();
                say(Answer { action, id: Some(decide.id) }.encode())?;
            }
            "quit" => break,
            _ => {} // `end` and whatever else may come is not answered
        }
    }
    Ok(())
}
