#!/usr/bin/env node
// A bot with a few simple rules. Change them, and see with `fa tournament run` whether it has become better.
//
// For each decision the referee sends a line with an observation (all that this seat may know) and the legal actions.
// Each game below has a function that gives an action a value, in whole numbers; of the actions with the highest value
// one is played. Which words an action is made of, and what they mean: `fa rules GAME`.
// @ts-check
"use strict";

const readline = require("node:readline");

/** @typedef {import("./messages.js").FifthAvenueObservation} FifthAvenueObservation */
/** @typedef {import("./messages.js").ManhattanObservation} ManhattanObservation */
/** @typedef {import("./messages.js").NewYorkObservation} NewYorkObservation */

// -- Fifth Avenue -----------------------------------------------------------------------------------------------------

/**
 * `seen` is the observation, the rest are the words of the action: `score TS` is "score", "TS".
 * @param {FifthAvenueObservation} seen
 * @param {string} kind
 * @param {...string} what
 */
function fifthAvenue(seen, kind, ...what) {
  const me = seen.seats[seen.seat];
  switch (kind) {
    case "place": { // the first skyscrapers: where there is business next door
      const [district, plot] = what[0].split(".");
      return seen.board[district][plot].value;
    }
    case "score": // worth it if I get more than the others
      return 2 * lead(seen, what[0]);
    case "skyscrapers":
      return me.supply < 3 ? 3 : 0;
    case "commissioner": // brings a black card, which is a joker
      return 1;
    case "draw": // high cards win auctions
      return what.reduce((sum, colour) => sum + (seen.stacks[colour]?.top ?? 0), 0);
    case "move": // to where a scoring would be good for me
      return lead(seen, what[1]);
    case "bid": {
      const [suit, card] = what;
      const missing = seen.auction ? seen.auction.high - seen.auction.bids[seen.seat].total : 0;
      if (missing >= 12 || me.supply === 0) return -1; // too dear, or nothing to build with
      // Low cards allow more skyscrapers; jokers are worth keeping.
      return 10 - Number(card) - (suit === "black" ? 3 : 0);
    }
    case "done":
      return 100;
    case "build":
      return Number(what[0]);
    case "stop":
      return -1;
  }
  return 0; // business, pass
}

/**
 * What I would get if the district were scored now, less what the best of the others would.
 * @param {FifthAvenueObservation} seen
 * @param {string} district
 */
function lead(seen, district) {
  const points = seen.seats.map(() => 0);
  for (const { owner, value, skyscrapers } of Object.values(seen.board[district] ?? {})) {
    // Fields that would be empty are left out. With two players seat 2 is Alea, who gets no points.
    if (owner != null && owner < points.length) points[owner] += value * (skyscrapers ?? 0);
  }
  const [mine] = points.splice(seen.seat, 1);
  return mine - Math.max(...points);
}

// -- Manhattan --------------------------------------------------------------------------------------------------------

/**
 * @param {ManhattanObservation} seen
 * @param {string} kind
 * @param {...string} what
 */
function manhattan(seen, kind, ...what) {
  const me = seen.seats[seen.seat];
  switch (kind) {
    case "select": // something of everything
      return new Set(what).size;
    case "build": {
      const [card, city, height] = what;
      const site = me.sites[Number(card) - 1]; // which site a card means depends on where one sits
      const tower = seen.cities[city][site - 1];
      if (!tower) return 6 - Number(height);
      if (me.colours.includes(tower.owner)) return 0;
      return 8 + tower.height - Number(height); // he loses a point and I win one, with the lowest block that will do
    }
    case "discard":
      return -Number(what[1]);
  }
  return 0;
}

// -- New York ---------------------------------------------------------------------------------------------------------

/**
 * @param {NewYorkObservation} seen
 * @param {string} kind
 * @param {...string} what
 */
function newYork(seen, kind, ...what) {
  if (seen.phase === "first-stones") return 0; // nobody knows yet whose stones these will be
  switch (kind) {
    case "use":
      return seen.colours[what[0]].board;
    case "play": { // a star marks a joker, which is worth keeping
      const [avenue, street] = what.map((card) => Number(card.replace("*", "")));
      return crossing(seen, avenue, street) - what.filter((card) => card.startsWith("*")).length;
    }
    case "place":
      return cell(seen, what[0]);
    case "remove":
      return -touching(seen, Number(what[0][1]), Number(what[0][3]));
    case "developer":
      return cell(seen, what[2]) + 2;
    case "speculation":
    case "statics":
      return 4;
  }
  return 0; // renovation, ruin, redraw, pass
}

/**
 * The crossing that a name means: a3s5 is where avenue 3 crosses street 5.
 * @param {NewYorkObservation} seen
 * @param {string} name
 */
const cell = (seen, name) => crossing(seen, Number(name[1]), Number(name[3]));

/**
 * What a stone of mine there is worth: the longest chain counts double, so it should touch others of mine.
 * @param {NewYorkObservation} seen
 * @param {number} avenue
 * @param {number} street
 */
function crossing(seen, avenue, street) {
  const there = seen.board[avenue - 1][street - 1];
  if (there === mine(seen)) return -10; // it would go back to my stock
  return 3 * touching(seen, avenue, street) + (there === null ? 3 : 1); // what is free costs nothing
}

/**
 * How many stones of mine are beside it.
 * @param {NewYorkObservation} seen
 * @param {number} avenue
 * @param {number} street
 */
function touching(seen, avenue, street) {
  const beside = [[avenue - 1, street], [avenue + 1, street], [avenue, street - 1], [avenue, street + 1]];
  return beside.filter(([a, s]) => seen.board[a - 1]?.[s - 1] === mine(seen)).length;
}

/**
 * The colour that I place or give up.
 * @param {NewYorkObservation} seen
 */
const mine = (seen) => seen.stone ?? seen.colour;

// -- the choice -------------------------------------------------------------------------------------------------------

/** @type {Record<string, (seen: any, kind: string, ...what: string[]) => number>} */
const GAMES = { "fifth-avenue": fifthAvenue, manhattan, "new-york": newYork };

/** Chance from `bot_seed`, so that the same game played again is the same game; Math.random() can't be told that. */
class Dice {
  /** @param {string} botSeed */
  constructor(botSeed) {
    this.state = parseInt(botSeed.slice(-7), 16);
  }

  /** @param {string[]} actions */
  pick(actions) {
    this.state = (Math.imul(this.state, 1103515245) + 12345) & 0x7fffffff;
    return actions[(this.state >> 16) % actions.length];
  }
}

/**
 * @param {import("./messages.js").Decide} decide
 * @param {(seen: any, kind: string, ...what: string[]) => number} value
 * @param {Dice} dice
 */
function choose({ observation, legal = [] }, value, dice) {
  const values = legal.map((action) => {
    const [kind, ...what] = action.split(" ");
    return value(observation, kind, ...what);
  });
  const best = Math.max(...values);
  return dice.pick(legal.filter((_, at) => values[at] === best));
}

// -- the protocol: a line of JSON comes, a line of JSON goes ----------------------------------------------------------

/** @param {import("./messages.js").Ready | import("./messages.js").Answer} message */
const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

let value = GAMES.manhattan;
let dice = new Dice("0");

// Only answers go to standard output. Print what you want to see yourself with console.error().
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  switch (message.type) {
    case "hello": // what is not wanted is not computed, and the bot is asked sooner
      return say({ type: "ready", wants: ["legal", "observation"] });
    case "start": // a new game: nothing is left of the last one
      value = GAMES[message.game] ?? (() => 0);
      dice = new Dice(message.bot_seed);
      return say({ type: "ready" });
    case "decide":
      return say({ id: message.id, action: choose(message, value, dice) });
    case "quit":
      process.exit(0);
  } // `end` and whatever else may come is not answered
});
