#!/usr/bin/env node
// A bot in JavaScript: it brings business to its own skyscrapers. Node alone, no packages.
//
// The whole protocol is at the bottom: a line of JSON comes, a line of JSON goes. Above it each game has a function
// that values an action, given the observation; the first action of the highest value is played.
"use strict";
const readline = require("node:readline");

// -- Fifth Avenue -----------------------------------------------------------------------------------------------------

let rings = {}; // by district: its plots in a circle, from the `start` line

/** The two plots that a plot of this district touches. */
function beside(district, name) {
  const ring = rings[district];
  const at = ring.indexOf(name);
  return [ring[(at + ring.length - 1) % ring.length], ring[(at + 1) % ring.length]];
}

const businesses = (plot) => plot.businesses ?? []; // fields that would be empty are left out
const canGrow = (plot) => !plot.skyscrapers && businesses(plot).length < 2;

/** My points if the district were scored now, less those of the best of the others. */
function lead(seen, district) {
  const points = seen.seats.map(() => 0);
  for (const plot of Object.values(seen.board[district] ?? {})) {
    // With two players the owner 2 is Alea, who gets no points.
    if (plot.owner < points.length) points[plot.owner] += plot.value * plot.skyscrapers;
  }
  return points[seen.seat] - Math.max(...points.filter((_, seat) => seat !== seen.seat));
}

/** How many points a scoring would bring me more, and others less, with this tile on that plot. */
function custom(seen, tile, where) {
  const [district, name] = where.split(".");
  const plots = seen.board[district];
  let gain = 0;
  for (const neighbour of beside(district, name)) {
    const types = new Set(beside(district, neighbour).flatMap((plot) => businesses(plots[plot])));
    const { owner, skyscrapers } = plots[neighbour];
    if (!skyscrapers || types.has(tile)) continue;
    gain += skyscrapers * (types.size + 1) * (owner === seen.seat ? 2 : -1);
  }
  return gain;
}

/** Points if the game ended now, less those of the best of the others. */
function ahead(seen) {
  const points = seen.seats.map((seat) => seat.points + 3 * seat.central_park);
  for (const plots of Object.values(seen.board)) {
    for (const { owner, value, skyscrapers } of Object.values(plots)) {
      if (owner < points.length) points[owner] += value * skyscrapers;
    }
  }
  return points[seen.seat] - Math.max(...points.filter((_, seat) => seat !== seen.seat));
}

function action(seen, kind, ...what) {
  if (kind === "score") return 3 * lead(seen, what[0]);
  if (kind === "skyscrapers") return seen.seats[seen.seat].supply < 2 ? 4 : 1;
  if (kind === "commissioner") return 1.5;
  if (seen.placed === 11) return ahead(seen) > 0 ? 100 : -100; // the twelfth business ends the game
  return 1 + custom(seen, ...what);
}

function bid(seen, kind, suit, card) {
  if (kind === "done") return 100;
  if (kind === "pass") return 0;
  const { lot, high, bids } = seen.auction;
  const plots = seen.board[lot] ?? {};
  const own = Object.keys(plots).find((name) => plots[name].owner === seen.seat);
  const worth = plots[own ?? suit]?.value ?? 2;
  const missing = high - bids[seen.seat].total;
  // A good address may cost four cards, a poor one hardly any; what allows more skyscrapers is laid first.
  if (missing >= 4 * worth || !seen.seats[seen.seat].supply) return -1;
  return worth + (6 - card) + (suit === "black" ? 0 : 0.5);
}

const fifthAvenue = {
  place(seen, _, where) {
    const [district, name] = where.split(".");
    const plots = seen.board[district];
    return plots[name].value + beside(district, name).filter((plot) => canGrow(plots[plot])).length;
  },
  action,
  draw(seen, _, ...colours) {
    // Cards for the plots that it has, and then high ones.
    const mine = (colour) => Object.values(seen.board).filter((plots) => plots[colour].owner === seen.seat).length;
    return colours.reduce((sum, colour) => sum + (colour === "none" ? 0 : 2 * mine(colour) + seen.stacks[colour].top), 0);
  },
  move: (seen, _, who, place) => lead(seen, place),
  bid,
  build: (_, kind, count) => (kind === "stop" ? -1 : Number(count)),
};

// -- Manhattan --------------------------------------------------------------------------------------------------------

const manhattan = {
  /** The same mixture of heights in each round, so that some high blocks are left for the last. */
  select(seen, _, ...heights) {
    const { supply } = seen.stocks[seen.colour];
    const share = heights.length / supply.reduce((sum, count) => sum + count);
    const off = supply.map((count, at) => heights.filter((height) => Number(height) === at + 1).length - count * share);
    return -off.reduce((sum, difference) => sum + Math.abs(difference), 0);
  },
  build(seen, kind, card, city, height, colour) {
    if (kind === "discard") return -city; // here the second word is the height of the block
    const { sites, colours } = seen.seats[seen.seat];
    const owners = seen.cities[city].map((tower) => tower?.owner);
    const before = cityPoints(seen, owners);
    owners[sites[card - 1] - 1] = colour ?? colours[0];
    const gains = cityPoints(seen, owners).map((points, seat) => points - before[seat]);
    const others = gains.reduce((sum, gain) => sum + gain) - gains[seen.seat];
    return 2 * gains[seen.seat] - others - height / 4; // with the lowest block that will do
  },
};

/** What each seat gets for a city with towers of these owners: one point for each, two for the most. */
function cityPoints(seen, owners) {
  const colours = Object.keys(seen.stocks);
  const counts = colours.map((colour) => owners.filter((owner) => owner === colour).length);
  const most = Math.max(...counts);
  const points = seen.seats.map(() => 0);
  colours.forEach((colour, at) => {
    const alone = counts[at] === most && counts.filter((count) => count === most).length === 1;
    points[seen.stocks[colour].seat] += counts[at] + (alone ? 2 : 0);
  });
  return points;
}

// -- New York ---------------------------------------------------------------------------------------------------------

/** How many of the four cells round this one have a stone of the colour. */
function touching(seen, avenue, street, colour) {
  const round = [[avenue - 1, street], [avenue + 1, street], [avenue, street - 1], [avenue, street + 1]];
  return round.filter(([a, s]) => seen.board[a]?.[s] === colour).length;
}

function cell(seen, avenue, street) {
  const colour = seen.stone ?? seen.colour;
  const there = seen.board[avenue][street];
  if (there === colour) return -5;
  return touching(seen, avenue, street, colour) + (there ? 0.5 : 1);
}

const cellNamed = (seen, name) => cell(seen, name[1] - 1, name[3] - 1);

const newYork = {
  "first-stones": () => 0, // whose stones these will be is not known yet
  colour: (seen, _, colour) => seen.colours[colour].board,
  place(seen, kind, what) {
    // After a renovation or ruin; of two colours one is chosen first.
    if (kind === "use") return seen.colours[what].board;
    return kind === "pass" ? 0 : cellNamed(seen, what);
  },
  remove: (seen, _, [, avenue, , street]) => -touching(seen, avenue - 1, street - 1, seen.stone),
  turn(seen, kind, ...what) {
    if (kind === "play") {
      const [avenue, street] = what.map((card) => card.replace("*", "") - 1);
      return cell(seen, avenue, street) - 0.6 * what.filter((card) => card[0] === "*").length;
    }
    return kind === "developer" ? 1 + cellNamed(seen, what[2]) : kind === "ruin" || kind === "renovation" ? 0 : 3;
  },
};

// -- the protocol -----------------------------------------------------------------------------------------------------

const GAMES = { "fifth-avenue": fifthAvenue, manhattan, "new-york": newYork };
let game = {};

function choose({ observation, legal }) {
  const value = game[observation.phase];
  let [best, most] = [legal[0], -Infinity];
  for (const text of legal) {
    const points = value(observation, ...text.split(" "));
    if (points > most) [best, most] = [text, points];
  }
  return best;
}

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    say({ type: "ready", name: "shopkeeper", games: Object.keys(GAMES), wants: ["legal", "observation"] });
  } else if (message.type === "start") {
    game = GAMES[message.game];
    rings = message.board?.rings;
    say({ type: "ready" });
  } else if (message.type === "decide") {
    say({ id: message.id, action: choose(message) });
  } else if (message.type === "quit") {
    process.exit(0);
  }
});
