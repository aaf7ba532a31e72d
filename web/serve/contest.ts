import { byId, make, say } from "../common/dom";
import { kept } from "../common/kept";
import { chooseTheme } from "../common/theme";
import { ask } from "./api";
import { refill } from "./refill";

interface Contest {
  name: string;
  state: string;
  done: number;
  games: number;
  rate: number | null;
  seconds_left: number | null;
  headings: string[];
  rows: string[][];
  notes: string[];
  faults: { bot: string; faults: number; kinds: string; suspended: number }[];
  playing: { game: number; seconds: number; bots: string[]; variant: string; can_be_watched: boolean; is_open: boolean }[];
  latest: { game: number; players: string[]; ranks: number[]; nobody_won: boolean }[];
}

const EVERY = 2000;
const name = decodeURIComponent(location.pathname.split("/")[2]!);

async function look(): Promise<void> {
  try {
    show(await ask<Contest>(`/api/contests/${encodeURIComponent(name)}`));
    say(byId("problem"), "");
  } catch (error) {
    say(byId("problem"), (error as Error).message);
  }
  setTimeout(() => void look(), EVERY);
}

function show(contest: Contest): void {
  byId("contest").hidden = false;
  byId("heading").textContent = document.title = contest.name;
  say(byId("state"), contest.state);
  byId("played").textContent = headline(contest);
  const progress = byId<HTMLProgressElement>("progress");
  [progress.max, progress.value] = [Math.max(1, contest.games), contest.done];
  byId("head").replaceChildren(...contest.headings.map((heading) => scoped("col", heading)));
  byId("rows").replaceChildren(...contest.rows.map((cells) => line(cells, contest.headings.indexOf("bot"))));
  byId("standings").hidden = !contest.rows.length;
  list("notes", contest.notes);
  list("faults", contest.faults.map(faultLine), "none");
  const playing = contest.playing.map(({ game, seconds, bots, variant, can_be_watched, is_open }) => {
    const isOpen = is_open || kept("owner");
    const why = isOpen ? "" : "; only the owner watches it, because others play its deal too";
    return gameLine(game, can_be_watched && isOpen ? "playing" : "", ` (${Math.floor(seconds)} s): ${bots.join(", ")}; ${variant}${why}`);
  });
  refill(byId("playing"), playing.length ? playing : [make("li", "none")]);
  refill(
    byId("latest"),
    contest.latest.map(({ game, players, ranks, nobody_won }) => {
      if (nobody_won) return gameLine(game, "game", ` nobody won; all failed: ${players.join(", ")}`);
      const order = players.map((player, seat) => ({ player, rank: ranks[seat]! })).sort((one, other) => one.rank - other.rank);
      return gameLine(game, "game", ` ${order.map(({ player, rank }) => `${rank}. ${player}`).join(", ")}`);
    }),
  );
  byId<HTMLAnchorElement>("report").href = `/contest/${encodeURIComponent(name)}/report`;
  byId("report").hidden = !contest.done;
}

/** A line about a game, with a link to its page in the folder `where`, if there is one. */
function gameLine(game: number, where: string, rest: string): HTMLLIElement {
  const item = make("li");
  const label = make(where ? "a" : "span", `Game ${game}`);
  if (label instanceof HTMLAnchorElement) label.href = `/contest/${encodeURIComponent(name)}/${where}/${game}`;
  item.append(label, rest);
  return item;
}

function headline({ done, games, rate, seconds_left }: Contest): string {
  const played = `, ${done.toLocaleString("en")} of ${games.toLocaleString("en")} games`;
  if (rate === null || seconds_left === null) return played;
  return `${played}, ${rate.toFixed(1)} a second, ${duration(seconds_left)} left`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

function faultLine({ bot, faults, kinds, suspended }: Contest["faults"][0]): string {
  return `${bot}: ${faults} (${kinds})${suspended ? `, suspended for ${suspended} game${suspended === 1 ? "" : "s"}` : ""}`;
}

function line(cells: string[], nameAt: number): HTMLTableRowElement {
  const row = make("tr");
  row.append(...cells.map((cell, at) => (at === nameAt ? scoped("row", cell) : make("td", cell))));
  return row;
}

function scoped(scope: string, text: string): HTMLTableCellElement {
  const cell = make("th", text);
  cell.scope = scope;
  return cell;
}

function list(id: string, sentences: string[], none = ""): void {
  const shown = sentences.length || !none ? sentences : [none];
  byId(id).replaceChildren(...shown.map((sentence) => make("li", sentence)));
}

chooseTheme();
void look();
