import { canDecode } from "../common/data";
import { byId, make, say } from "../common/dom";
import { Board } from "./board";
import { type Game, positionsOf, readReplay, type Replay } from "./data";
import { Jumps } from "./jumps";
import { Moves } from "./moves";
import { News } from "./news";
import { Address, fragmentOf, parsePlace, type Place } from "./place";
import { duration, Players } from "./players";

/** By key, as in the terminal: what it leads to; with Shift to the one before. */
const JUMPS: Record<string, string> = { t: "turn", r: "round", a: "auction", s: "scoring", f: "fault" };

/** The whole page: what it shows, and everything that changes this. */
class Page {
  private place: Place = { game: -1, position: 0, view: null };
  private board!: Board;
  private timer = 0;
  private readonly address = new Address();
  private readonly go = (position: number): void => {
    this.stop();
    this.move(position);
  };
  private readonly jumps = new Jumps(this.go);
  private readonly moves: Moves;
  private readonly news: News;
  private readonly players = new Players();
  /** The switch that hides what comes. */
  private readonly future = byId<HTMLInputElement>("future");
  private readonly slider = byId<HTMLInputElement>("position");

  constructor(private readonly replay: Replay) {
    const { games, unreadable } = replay;
    this.moves = new Moves(replay, this.go);
    this.news = new News(replay);
    if (unreadable.length) say(byId("missing"), `The log is damaged at game ${unreadable.join(", ")}.`);
    byId("game").append(...games.map((_, index) => option(String(index), "")));
    this.hideFuture();
    byId("game-picker").hidden = games.length < 2;
    byId("view-picker").hidden = replay.seat !== null;
    byId("replay").hidden = false;
    this.listen();
    this.restore();
  }

  private get game(): Game {
    return this.replay.games[this.place.game]!;
  }

  private get last(): number {
    return positionsOf(this.game) - 1;
  }

  private listen(): void {
    const click = (id: string, act: () => void): void => byId(id).addEventListener("click", act);
    click("first", () => this.go(0));
    click("previous", () => this.go(this.place.position - 1));
    click("play", () => this.toggle());
    click("next", () => this.go(this.place.position + 1));
    click("last", () => this.go(this.last));
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    onChange("game", (value) => this.show({ game: Number(value), position: 0, view: this.place.view }));
    onChange("view", (value) => this.show({ ...this.place, view: value ? Number(value) : null }));
    onChange("theme", (value) => {
      if (value) document.documentElement.dataset["theme"] = value;
      else delete document.documentElement.dataset["theme"];
    });
    this.future.addEventListener("change", () => {
      this.hideFuture();
      this.showPosition();
    });
    window.addEventListener("hashchange", () => this.restore());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** Name the games with or without their results, and show or hide the lines of what comes. */
  private hideFuture(): void {
    const hides = this.future.checked;
    document.body.classList.toggle("now", hides);
    const options = byId<HTMLSelectElement>("game").options;
    this.replay.games.forEach((game, index) => (options[index]!.textContent = gameLabel(game, hides)));
  }

  /** Act on a key, unless the focused element uses it itself. */
  private key(event: KeyboardEvent): void {
    const element = event.target as Element;
    if (event.altKey || event.ctrlKey || event.metaKey || element.matches("select")) return;
    if (event.shiftKey && event.key.length > 1) return; // an arrow, say, that selects text
    if (event.key === " " && element.closest("button")) return;
    const { position } = this.place;
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.go(position - 1),
      ArrowRight: () => this.go(position + 1),
      Home: () => this.go(0),
      End: () => this.go(this.last),
      " ": () => this.toggle(),
    };
    const jump = JUMPS[event.key.toLowerCase()];
    const act = actions[event.key] ?? (jump && (() => this.jumps.press(jump, event.shiftKey)));
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** Show the place that the page's address names. */
  private restore(): void {
    this.stop();
    const [place, problems] = parsePlace(this.address.read(), this.replay);
    this.show(place);
    say(byId("notice"), problems.join(" "));
  }

  private move(position: number): void {
    this.show({ ...this.place, position: Math.max(0, Math.min(position, this.last)) });
  }

  private show(place: Place): void {
    const before = this.place;
    const seats = this.replay.games[place.game]!.players.length;
    this.place = place.view !== null && place.view >= seats ? { ...place, view: this.replay.seat } : place;
    if (before.game !== place.game) this.loadGame();
    if (before.game !== place.game || before.view !== this.place.view) this.loadView();
    this.showPosition();
    say(byId("notice"), "");
    this.address.write(fragmentOf(this.place, this.replay));
  }

  private loadGame(): void {
    this.stop();
    const { game } = this;
    document.title = `${game.title}: ${game.players.join(", ")}`;
    byId("heading").textContent = `${game.title}, game ${game.record}`;
    byId("setting").textContent = game.players.join(", ");
    const { seat } = this.replay;
    say(byId("only-view"), seat === null ? "" : `As seat ${seat} saw it: ${game.players[seat]}`);
    say(byId("problem"), game.problem);
    byId<HTMLSelectElement>("game").value = String(this.place.game);
    const seats = game.players.map((name, seat) => option(String(seat), `Seat ${seat}: ${name}`));
    byId("view").replaceChildren(option("", "Everything"), ...seats);
    this.board = new Board(game, this.replay);
    byId("stage").replaceChildren(this.board.svg);
    byId("drawn-hands").replaceChildren(this.board.hands);
    byId("drawn").innerHTML = game.strip;
    this.slider.max = String(this.last);
    this.jumps.load(game);
    this.players.load(game);
  }

  private loadView(): void {
    const { view } = this.place;
    byId<HTMLSelectElement>("view").value = view === null ? "" : String(view);
    this.moves.load(this.game, view);
  }

  private showPosition(): void {
    const { position, view } = this.place;
    this.board.show(position, view);
    this.jumps.show(position);
    const hidesFuture = this.future.checked;
    this.moves.show(position, hidesFuture);
    this.players.show(position, hidesFuture);
    say(byId("end"), position === this.last ? endOf(this.game) : "");
    this.news.show(this.game, position, view);
    const facts = factsOf(this.game, position);
    byId("facts").textContent = facts.join(" · ");
    this.slider.value = String(position);
    byId("drawn").style.setProperty("--now", String(position / this.last));
    this.slider.setAttribute("aria-valuetext", facts[0]!);
    byId("first").setAttribute("aria-disabled", String(position === 0));
    byId("previous").setAttribute("aria-disabled", String(position === 0));
    byId("next").setAttribute("aria-disabled", String(position === this.last));
    byId("last").setAttribute("aria-disabled", String(position === this.last));
  }

  private toggle(): void {
    if (this.timer) return this.stop();
    if (this.place.position === this.last) this.move(0);
    this.setPlaying(true);
    this.wait();
  }

  private wait(): void {
    const perSecond = Number(byId<HTMLSelectElement>("speed").value);
    this.timer = window.setTimeout(() => {
      this.move(this.place.position + 1);
      if (this.place.position < this.last) this.wait();
      else this.stop();
    }, 1000 / perSecond);
  }

  private stop(): void {
    window.clearTimeout(this.timer);
    this.timer = 0;
    this.setPlaying(false);
  }

  /** While the game plays, the sentences change too quickly to be read aloud. */
  private setPlaying(playing: boolean): void {
    byId("play").classList.toggle("playing", playing);
    byId("play").setAttribute("aria-label", playing ? "Pause" : "Play");
    byId("announcement").setAttribute("aria-live", playing ? "off" : "polite");
  }
}

function option(value: string, text: string): HTMLOptionElement {
  const element = make("option", text);
  element.value = value;
  return element;
}

function onChange(id: string, act: (value: string) => void): void {
  const select = byId<HTMLSelectElement>(id);
  select.addEventListener("change", () => act(select.value));
}

function gameLabel(game: Game, hidesFuture: boolean): string {
  const points = (seat: number): string => (hidesFuture ? "" : ` ${game.result.scores[seat] ?? ""}`);
  return `${game.record}: ${game.players.map((name, seat) => name + points(seat)).join(", ")}`;
}

function endOf(game: Game): string {
  return game.ending && `The end: ${game.result.reason}; ${game.ending}.`;
}

/** Where a position is in its game, and how long its move took. */
function factsOf(game: Game, position: number): string[] {
  const last = positionsOf(game) - 2;
  if (position === 0) return ["The deal"];
  const facts = [`Ply ${position - 1} of ${last}`];
  const turn = game.turns[position];
  const round = game.rounds[position];
  const time = game.times?.[position - 1];
  if (turn) facts.push(`turn ${turn}`);
  if (round) facts.push(`round ${round}`);
  if (time) facts.push(`took ${duration(time)}`);
  return facts;
}

async function start(): Promise<void> {
  const notice = byId("notice");
  if (!canDecode()) {
    say(notice, "This browser is too old for this page: use Chrome 80, Firefox 113, Safari 16.4 or newer.");
    return;
  }
  try {
    new Page(await readReplay());
  } catch (error) {
    say(notice, `This page is damaged: ${error instanceof Error ? error.message : error}. Write it again with fa replay html.`);
  }
}

void start();
