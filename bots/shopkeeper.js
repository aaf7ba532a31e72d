#!/usr/bin/env node
// Brings businesses to its own skyscrapers. It needs Node and no packages.
//
// The protocol is at the bottom: one line of JSON in, one line of JSON out. Above it each game has functions that value
// an action, given the observation. The bot plays the first action with the highest value.
"use strict";
const readline = require("node:readline");

// -- Fifth Avenue -----------------------------------------------------------------------------------------------------

let rings = {}; // by district: its plots around the centre, from the `start` line

/** Return the two plots next to a plot of this district. */
function beside(district, name) {
  const ring = rings[district];
  const at = ring.indexOf(name);
  return [ring[(at + ring.length - 1) % ring.length], ring[(at + 1) % ring.length]];
}

const businesses = (plot) => plot.businesses ?? []; // empty fields are omitted from the observation
const canGrow = (plot) => !plot.skyscrapers && businesses(plot).length < 2;

/** Return my points less the best opponent's if the district were scored now. */
function lead(seen, district) {
  const points = seen.seats.map(() => 0);
  for (const plot of Object.values(seen.board[district] ?? {})) {
    // With two players the owner 2 is Alea, who gets no points.
    if (plot.owner < points.length) points[plot.owner] += plot.value * plot.skyscrapers;
  }
  return points[seen.seat] - Math.max(...points.filter((_, seat) => seat !== seen.seat));
}

/** Return what this tile on that plot adds to a scoring: my gain twice, less the others' gains. */
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

/** Return my lead over the best opponent if the game ended now. */
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
  // Plots of high value may cost many cards. The cards that allow more skyscrapers are laid first.
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
    // Cards for its own plots first, then high cards.
    const plotsOf = (colour) => Object.values(seen.board).filter((plots) => plots[colour].owner === seen.seat).length;
    const value = (colour) => (colour === "none" ? 0 : 2 * plotsOf(colour) + seen.stacks[colour].top);
    return colours.reduce((sum, colour) => sum + value(colour), 0);
  },
  move: (seen, _, who, place) => lead(seen, place),
  bid,
  build: (_, kind, count) => (kind === "stop" ? -1 : Number(count)),
};

// -- Manhattan --------------------------------------------------------------------------------------------------------

const manhattan = {
  /** Prefer the same mixture of heights in each round, so that high blocks are left for the last one. */
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
    return 2 * gains[seen.seat] - others - height / 4; // prefer the lowest block that suffices
  },
};

/** Return by seat the points for a city whose towers have these owners: one per tower, two for the majority. */
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

/** Return how many of the four neighbours of a cell have a stone of the colour. */
function touching(seen, avenue, street, colour) {
  const neighbours = [[avenue - 1, street], [avenue + 1, street], [avenue, street - 1], [avenue, street + 1]];
  return neighbours.filter(([a, s]) => seen.board[a]?.[s] === colour).length;
}

function cell(seen, avenue, street) {
  const colour = seen.stone ?? seen.colour;
  const occupant = seen.board[avenue][street];
  if (occupant === colour) return -5;
  return touching(seen, avenue, street, colour) + (occupant ? 0.5 : 1);
}

const cellNamed = (seen, name) => cell(seen, name[1] - 1, name[3] - 1);

const newYork = {
  "first-stones": () => 0, // nobody knows yet who will own this colour
  colour: (seen, _, colour) => seen.colours[colour].board,
  place(seen, kind, what) {
    // After a renovation or ruin. With two colours one is chosen first.
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
  let [best, highest] = [legal[0], -Infinity];
  for (const text of legal) {
    const points = value(observation, ...text.split(" "));
    if (points > highest) [best, highest] = [text, points];
  }
  return best;
}

const send = (message) => process.stdout.write(JSON.stringify(message) + "\n");

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    send({ type: "ready", name: "shopkeeper", games: Object.keys(GAMES), wants: ["legal", "observation"] });
  } else if (message.type === "start") {
    game = GAMES[message.game];
    rings = message.board?.rings;
    send({ type: "ready" });
  } else if (message.type === "decide") {
    send({ id: message.id, action: choose(message) });
  } else if (message.type === "quit") {
    process.exit(0);
  }
});
