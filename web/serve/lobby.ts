import { byId, make, option, say } from "../common/dom";
import { keepForTab, kept, recall, remember, seatOf } from "../common/kept";
import { chooseTheme } from "../common/theme";
import { ask } from "./api";
import { keepLinks, linkLines, type Link } from "./links";
import { refill } from "./refill";

interface GameOffer {
  name: string;
  title: string;
  players: number[];
  options: Record<string, string[]>;
}

interface TableRow {
  table: number;
  title: string;
  players: string[];
  state: string;
  ply: number;
  spectators: string;
  tokens: Record<string, string> | null;
  mine: number | null;
}

interface Offers {
  owner: boolean;
  /** How others reach the server; empty if they don't, or if this is a guest. */
  address: string;
  games: GameOffer[];
  bots: { name: string; description: string }[];
  tables: TableRow[];
  contests: { name: string; state: string }[];
  logs: string[];
}

interface Opened {
  table: number;
  tokens: Record<string, string>;
  spectators: string;
}

const EVERY = 3000; // milliseconds
const ME = "me";
const OTHER = "another person";

/** The lobby: a new table, the tables, and the contests. */
class Lobby {
  private offers!: Offers;
  /** What was last said of a server that can't be read. */
  private trouble = "";
  private readonly token = ownersToken();

  /** Begin as soon as the server answers. */
  async begin(): Promise<void> {
    if (!(await this.read())) return void setTimeout(() => void this.begin(), EVERY);
    byId("game").append(...this.offers.games.map((game) => option(game.name, game.title)));
    byId("log").append(option("", "no log"), ...this.offers.logs.map((log) => option(log, log)));
    byId("from-log").hidden = !this.offers.logs.length;
    byId("guest").hidden = this.offers.owner;
    byId("late").textContent = this.offers.owner ? "A bot plays on for who does not decide in time." : "Who does not decide in time is out of the game.";
    byId("strengths").hidden = !this.offers.owner;
    byId("new").hidden = false;
    byId("game").addEventListener("change", () => this.showGame());
    const before = recall("game");
    if (this.offers.games.some(({ name }) => name === before)) byId<HTMLSelectElement>("game").value = before!;
    byId("players").addEventListener("change", () => this.showSeats());
    byId("log").addEventListener("change", () => (byId("number-label").hidden = !byId<HTMLSelectElement>("log").value));
    byId("new").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.open();
    });
    window.addEventListener("hashchange", () => location.reload());
    this.showGame();
    setInterval(() => void this.read(), EVERY);
  }

  /** Show what the server has, or why it can't be read, which is said until it can; whether it could. */
  private async read(): Promise<boolean> {
    const problem = byId("problem");
    try {
      this.offers = await ask<Offers>("/api/lobby", this.token);
    } catch (error) {
      say(problem, (this.trouble = (error as Error).message));
      return false;
    }
    if (problem.textContent === this.trouble) say(problem, "");
    this.showLists();
    return true;
  }

  private get game(): GameOffer {
    const name = byId<HTMLSelectElement>("game").value;
    return this.offers.games.find((game) => game.name === name)!;
  }

  private showGame(): void {
    const { players, options, name } = this.game;
    byId<HTMLAnchorElement>("rules").href = `/rules/${name}`;
    byId("players").replaceChildren(...players.map((count) => option(String(count), `${count} players`)));
    const before = Number(recall("players"));
    byId<HTMLSelectElement>("players").value = String(players.includes(before) ? before : 3);
    byId("options").replaceChildren(
      ...Object.entries(options).map(([option_name, values]) => {
        const select = make("select");
        select.name = option_name;
        select.append(...values.map((value) => option(value, value)));
        return labelled(option_name, select);
      }),
    );
    this.showSeats();
  }

  /** A line for each seat; what was chosen stays. */
  private showSeats(): void {
    const count = Number(byId<HTMLSelectElement>("players").value);
    const seats = byId("seats");
    while (seats.children.length > count) seats.lastElementChild!.remove();
    while (seats.children.length < count) seats.append(this.seat(seats.children.length));
  }

  private seat(number: number): HTMLLIElement {
    const { bots, owner } = this.offers;
    const who = make("select");
    who.append(option(ME, "me"), option(OTHER, OTHER));
    const group = make("optgroup");
    group.label = "bots";
    group.append(...bots.map(({ name, description }) => option(name, description ? `${name}: ${description}` : name)));
    if (bots.length) who.append(group);
    who.setAttribute("aria-label", `Seat ${number}`);
    const name = make("input");
    name.maxLength = 40;
    name.setAttribute("aria-label", `Name in seat ${number}`);
    const show = (): void => {
      name.hidden = who.value !== ME && who.value !== OTHER;
      if (who.value === ME) name.value = recall("name") || "host";
      if (who.value === OTHER) name.value = `guest-${number}`;
    };
    who.addEventListener("change", show);
    who.value = recall(`seat-${number}`) ?? "";
    if (!who.value) who.value = number === 0 ? ME : owner ? (bots.find(({ name }) => name === "greedy") ?? bots[0]!).name : OTHER;
    show();
    const item = make("li");
    item.append(make("span", `Seat ${number}`), who, name);
    return item;
  }

  private async open(): Promise<void> {
    const chosen = [...byId("seats").children].map((item) => ({
      who: item.querySelector("select")!.value,
      name: item.querySelector("input")!.value.trim(),
    }));
    const isPerson = (who: string): boolean => who === ME || who === OTHER;
    const seats = chosen.map(({ who, name }) => (isPerson(who) ? { kind: "person", name } : { kind: "bot", name: who }));
    const mine = chosen.findIndex(({ who }) => who === ME);
    const log = byId<HTMLSelectElement>("log").value;
    const limit = Number(byId<HTMLSelectElement>("limit").value);
    const wanted = {
      game: this.game.name,
      seats,
      options: Object.fromEntries([...byId("options").querySelectorAll("select")].map(({ name, value }) => [name, value])),
      seed: byId<HTMLInputElement>("seed").value,
      deal: log ? { log, game: Number(byId<HTMLInputElement>("number").value) } : null,
      pace_ms: Number(byId<HTMLSelectElement>("pace").value),
      person_seconds: limit || null,
      mine: mine < 0 ? null : mine,
    };
    say(byId("problem"), "");
    try {
      const opened = await ask<Opened>("/api/tables", this.token, wanted);
      keepForTab(seatOf(opened.table), opened.tokens[mine] ?? opened.spectators);
      if (mine >= 0) remember("name", chosen[mine]!.name);
      remember("game", wanted.game);
      remember("players", String(seats.length));
      chosen.forEach(({ who }, seat) => remember(`seat-${seat}`, who));
      this.showLinks(opened, chosen.map(({ name }) => name), mine);
    } catch (error) {
      say(byId("problem"), (error as Error).message);
    }
  }

  /** Go to the table, or show the links to pass on. */
  private showLinks({ table, tokens, spectators }: Opened, names: string[], mine: number): void {
    const links = this.toPassOn({ table, tokens, spectators }, names, mine);
    const own = `/table/${table}#${tokens[mine] ?? spectators}`;
    if (links.length === 1) {
      location.href = own;
      return;
    }
    byId("links").replaceChildren(...linkLines(links));
    byId<HTMLAnchorElement>("sit").href = own;
    byId("sit").textContent = mine >= 0 ? "Sit down" : "Watch";
    byId("invitations").hidden = false;
    byId("invitations").scrollIntoView();
    byId("sit").focus();
  }

  /** The links of a table for all but who opened it, kept for its page. */
  private toPassOn({ table, tokens, spectators }: Opened, names: string[], mine: number): Link[] {
    const isHere = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
    const address = `${(isHere && this.offers.address) || location.origin}/table/${table}#`;
    const others = Object.entries(tokens).filter(([seat]) => Number(seat) !== mine);
    const links = others.map(([seat, token]): Link => [`Seat ${seat}, ${names[Number(seat)]}`, address + token]);
    links.push(["Who only watches", address + spectators]);
    keepLinks(tokens[mine] ?? spectators, links);
    return links;
  }

  private tableLine({ table, title, players, state, ply, spectators, tokens, mine }: TableRow): HTMLLIElement {
    const item = make("li");
    const name = `Table ${table}: ${title}`;
    const isOver = state === "over";
    if (tokens) this.toPassOn({ table, tokens, spectators }, players, mine ?? -1);
    const before = kept(seatOf(table)); // perhaps of another table that had the number
    const token = tokens?.[mine ?? -1] || ((!tokens || Object.values(tokens).includes(before)) && before) || spectators;
    const address = isOver ? `/table/${table}/replay` : token ? `/table/${table}#${token}` : "";
    item.append(address ? anchor(address, name) : name, `: ${players.join(", ")}; ${state === "playing" ? `${ply} actions so far` : state} `);
    if (this.offers.owner && !isOver) {
      const close = make("button", "Close");
      close.setAttribute("aria-label", `Close table ${table}`);
      close.addEventListener("click", () => void this.close(table));
      item.append(close);
    }
    return item;
  }

  private async close(table: number): Promise<void> {
    if (!confirm(`Close table ${table}? Its game ends for everybody and is not recorded.`)) return;
    try {
      await ask(`/api/tables/${table}/close`, this.token, {});
      keepForTab(seatOf(table), ""); // another table may get the number
      await this.read();
    } catch (error) {
      say(byId("problem"), (error as Error).message);
    }
  }

  private showLists(): void {
    const { tables, contests } = this.offers;
    refill(byId("tables"), tables.map((row) => this.tableLine(row)));
    byId("no-tables").hidden = tables.length > 0;
    refill(
      byId("contests"),
      contests.map(({ name, state }) => {
        const item = make("li");
        item.append(anchor(`/contest/${encodeURIComponent(name)}`, name), `: ${state}`);
        return item;
      }),
    );
    byId("no-contests").hidden = contests.length > 0;
  }
}

function anchor(address: string, text: string): HTMLAnchorElement {
  const element = make("a", text);
  element.href = address;
  return element;
}

function labelled(text: string, element: HTMLElement): HTMLLabelElement {
  const label = make("label", `${text} `);
  label.append(element);
  return label;
}

/** The owner's secret: that of the link, which the tab keeps, so that links to the lobby lead back. */
function ownersToken(): string {
  const given = location.hash.slice(1);
  if (given) keepForTab("owner", given);
  return given || kept("owner");
}

chooseTheme();
void new Lobby().begin();
