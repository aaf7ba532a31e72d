import { canDecode } from "../common/data";
import { byId, make, option, say } from "../common/dom";
import { keep } from "../common/kept";
import { chooseTheme } from "../common/theme";
import { Beside } from "./beside";
import { Board } from "./board";
import { type Game, positionsOf, readReplay, type Replay, tell } from "./data";
import { Find } from "./find";
import { Jumps } from "./jumps";
import { Moves } from "./moves";
import { News } from "./news";
import { Address, fragmentOf, parsePlace, type Place } from "./place";
import { duration, Players } from "./players";
import { Said } from "./said";
import { stopsOf, type Unit, UNITS } from "./stops";
import { showTips } from "./tip";

/** By key, as in the terminal: what it leads to; capital letters, with Shift, to the one before. */
const JUMPS: Record<string, string> = { t: "turn", r: "round", a: "auction", s: "scoring", f: "fault", m: "mistake" };
/** Keys with the same effect. */
const SAME_KEYS: Record<string, string> = { l: "ArrowRight", h: "ArrowLeft", Backspace: "ArrowLeft", PageDown: "t", PageUp: "T" };

/** The whole page: what it shows, and everything that changes this. */
class Page {
  private place: Place = { game: -1, position: 0, view: null, beside: "" };
  private board!: Board;
  private readonly beside: Beside;
  private timer = 0;
  /** The positions at which steps end. */
  private stops: number[] = [];
  private readonly address = new Address();
  private readonly go = (position: number): void => {
    this.stop();
    this.move(position);
  };
  private readonly jumps = new Jumps(this.go);
  private readonly moves: Moves;
  private readonly news: News;
  private readonly said = new Said();
  private readonly players = new Players();
  private readonly find = new Find(
    () => ({ now: this.place.position, last: this.last, contains: (position, text) => this.contains(position, text) }),
    this.go,
    (sentence) => say(byId("notice"), sentence),
  );
  /** The switch that hides what comes. */
  private readonly future = byId<HTMLInputElement>("future");
  private readonly slider = byId<HTMLInputElement>("position");

  constructor(private readonly replay: Replay) {
    const { games, unreadable } = replay;
    this.moves = new Moves(replay, this.go);
    this.news = new News(replay);
    this.beside = new Beside(replay);
    if (unreadable.length) say(byId("missing"), `The log is damaged at game ${unreadable.join(", ")}.`);
    byId("game").append(...games.map((_, index) => option(String(index), "")));
    this.hideFuture();
    byId("game-picker").hidden = games.length < 2;
    byId("view-picker").hidden = replay.seat !== null;
    byId("replay").hidden = false;
    this.listen();
    keep("speed");
    this.restore();
    keep("unit");
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
    click("previous", () => this.step(-1));
    click("play", () => this.toggle());
    click("next", () => this.step(1));
    click("last", () => this.go(this.last));
    click("copy", () => void this.copy());
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    onChange("game", (value) => this.show({ game: Number(value), position: 0, view: this.place.view, beside: "" }));
    onChange("view", (value) => this.show({ ...this.place, view: value ? Number(value) : null }));
    onChange("beside-picked", (beside) => this.show({ ...this.place, beside }));
    onChange("unit", () => {
      this.stop();
      this.loadStops();
      this.showPosition();
    });
    showTips();
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
    if (this.place.game >= 0) document.title = titleOf(this.game, hides);
  }

  /** Act on a key, unless the focused element uses it itself. */
  private key(event: KeyboardEvent): void {
    const element = event.target as Element;
    if (event.altKey || event.ctrlKey || event.metaKey || element.matches("select, #find")) return;
    if (event.shiftKey && event.key.length > 1) return; // an arrow, say, that selects text
    if (event.key === " " && element.closest("button, summary, #future")) return;
    const key = SAME_KEYS[event.key] ?? event.key;
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.go(0),
      End: () => this.go(this.last),
      " ": () => this.toggle(),
      g: () => this.find.open(),
      "/": () => this.find.open(),
      n: () => this.find.search(1),
      N: () => this.find.search(-1),
      v: () => this.nextView(),
      "?": () => byId("help").toggleAttribute("open"),
    };
    const jump = JUMPS[key.toLowerCase()];
    const act = actions[key] ?? (jump && (() => this.jumps.press(jump, key !== key.toLowerCase())));
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

  /** Go to the end of the next step, or of the one before. */
  private step(direction: 1 | -1): void {
    const { position } = this.place;
    this.go(direction > 0 ? this.stopAfter(position) : this.stopBefore(position));
  }

  private stopAfter(position: number): number {
    return this.stops.find((stop) => stop > position) ?? this.last;
  }

  private stopBefore(position: number): number {
    return this.stops[this.stops.findIndex((stop) => stop >= position) - 1] ?? 0;
  }

  /** Show the view of the next seat; after the last one everything. */
  private nextView(): void {
    const { view } = this.place;
    const next = view === null ? 0 : view + 1;
    if (this.replay.seat === null) this.show({ ...this.place, view: next < this.game.players.length ? next : null });
  }

  private contains(position: number, text: string): boolean {
    return tell(this.replay, this.game, position - 1, position, this.place.view).some((sentence) => sentence.toLowerCase().includes(text));
  }

  /** Copy the address of what is shown, or show it where the browser forbids that. */
  private async copy(): Promise<void> {
    const address = location.href.replace(/#.*/, "") + fragmentOf(this.place, this.replay);
    try {
      await navigator.clipboard.writeText(address);
      byId("copy").textContent = "Copied";
      window.setTimeout(() => (byId("copy").textContent = "Copy link"), 2000);
    } catch {
      say(byId("notice"), `The browser does not let this page copy: ${address}`);
    }
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
    if (before.game !== place.game || before.beside !== place.beside) this.beside.load(this.game, place.beside);
    this.showPosition();
    say(byId("notice"), "");
    this.address.write(fragmentOf(this.place, this.replay));
  }

  private loadGame(): void {
    this.stop();
    const { game } = this;
    document.title = titleOf(game, this.future.checked);
    byId("heading").textContent = `${game.title}, game ${game.record}`;
    byId("setting").textContent = game.players.join(", ");
    const { seat } = this.replay;
    say(byId("only-view"), seat === null ? "" : `As seat ${seat} saw it: ${game.players[seat]}`);
    say(byId("problem"), game.problem);
    byId<HTMLSelectElement>("game").value = String(this.place.game);
    const seats = game.players.map((name, seat) => option(String(seat), `Seat ${seat}: ${name}`));
    byId("view").replaceChildren(option("", "Everything"), ...seats);
    this.board = new Board(game, this.replay);
    byId("stage").replaceChildren(this.board.pictures[0]);
    byId("drawn-hands").replaceChildren(this.board.pictures[1]);
    byId("drawn").innerHTML = game.strip;
    byId("legend").replaceChildren(...game.legend.map((line) => make("li", line)));
    this.slider.max = String(this.last);
    this.loadStops();
    this.jumps.load(game);
    this.players.load(game);
  }

  /** Offer the units that the game counts, and find where steps of the chosen one end. */
  private loadStops(): void {
    const select = byId<HTMLSelectElement>("unit");
    const units = UNITS.filter((unit) => stopsOf(this.game, unit).length > 0);
    const chosen = units.find((unit) => unit === select.value) ?? "decision";
    select.replaceChildren(...units.map((unit) => option(unit, `by ${unit}`)));
    select.value = chosen;
    this.stops = stopsOf(this.game, chosen);
  }

  private loadView(): void {
    const { view } = this.place;
    byId<HTMLSelectElement>("view").value = view === null ? "" : String(view);
    this.moves.load(this.game, view);
  }

  private showPosition(): void {
    const { position, view } = this.place;
    const before = this.stopBefore(position);
    this.board.show(position, before, view);
    byId("pieces").replaceChildren(...this.board.pieces().map((piece) => make("li", piece)));
    this.beside.show(this.stops.filter((stop) => stop < position).length, byId<HTMLSelectElement>("unit").value as Unit);
    this.jumps.show(position);
    const hidesFuture = this.future.checked;
    this.moves.show(position, hidesFuture);
    this.players.show(position, hidesFuture);
    say(byId("end"), position === this.last ? endOf(this.game) : "");
    this.news.show(this.game, before, position, view);
    this.said.show(this.game, before, position, view);
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
      this.move(this.stopAfter(this.place.position));
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

function onChange(id: string, act: (value: string) => void): void {
  const select = byId<HTMLSelectElement>(id);
  select.addEventListener("change", () => act(select.value));
}

function gameLabel(game: Game, hidesFuture: boolean): string {
  const points = (seat: number): string => (hidesFuture ? "" : ` ${game.result.scores[seat] ?? ""}`);
  return `${game.record}: ${game.players.map((name, seat) => name + points(seat)).join(", ")}`;
}

/** The game, and who won or, not to say too much, who played. */
function titleOf(game: Game, hidesFuture: boolean): string {
  return `${game.title}: ${(!hidesFuture && game.ending) || game.players.join(", ")}`;
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
  chooseTheme();
  const help = byId<HTMLDetailsElement>("help");
  help.addEventListener("toggle", () => byId("side").classList.toggle("explains", help.open));
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
