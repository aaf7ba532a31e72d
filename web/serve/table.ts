import { byId, make, say } from "../common/dom";
import { keepForTab, kept, recall, remember, seatOf } from "../common/kept";
import { chooseTheme } from "../common/theme";
import { ask } from "./api";
import { Board } from "./board";
import { Chooser } from "./chooser";
import { Connection } from "./connection";
import { hint } from "./hint";
import { keptLinks, linkLines } from "./links";
import type { Asked, Choice, Choices, Drafted, Ended, Position, Present, ToPage, Welcome } from "./protocol";

const FEW = 12; // legal actions that are shown as buttons at once
const WIDE = 900; // CSS pixels from which there is room for lists and signs that nobody has asked for
const MOST_RULES = 4; // numbers of rules named after a wrong click

/** One table as one seat or the spectators see it. */
class Page {
  private welcome!: Welcome;
  private board!: Board;
  private position: Position | null = null;
  private asked: Asked | null = null;
  private askedAt = 0;
  private drafted: Drafted | null = null;
  private chooser: Chooser | null = null;
  /** Whether the server has not answered yet to what was chosen. */
  private isTrying = false;
  private present: Present = { type: "present", seats: [], spectators: 0, bots: [], resigned: [], awaited: [] };
  private ended: Ended | null = null;
  /** Why the game can't go on; empty if it can. */
  private stopped = "";
  private readonly connection: Connection;

  constructor() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const token = location.hash.slice(1) || kept("owner"); // the owner watches all games of tournaments
    this.connection = new Connection(
      `${scheme}://${location.host}${location.pathname}/socket`,
      token,
      (message) => this.keepFocus(() => this.hear(message)),
      (sentence) => say(byId("lost"), sentence || (this.welcome ? "" : this.stopped)),
    );
    window.addEventListener("hashchange", () => location.reload());
    byId("send").addEventListener("click", () => this.keepFocus(() => this.send()));
    byId("back").addEventListener("click", () => this.keepFocus(() => this.takeBack()));
    byId("filter").addEventListener("input", () => this.listActions());
    byId("filter").addEventListener("keydown", (event) => {
      if (event.key === "Enter") byId("actions").querySelector("button")?.click();
    });
    byId("resign").addEventListener("click", () => this.leave("resign", "Leave the game? You will be last; the first legal action is played for you from now on."));
    byId("hand-over").addEventListener("click", () => this.leave("hand-over", `Let ${this.welcome.stand_in} play for you?`));
    byId("return").addEventListener("click", () => this.connection.send({ type: "return" }));
    document.addEventListener("keydown", (event) => this.key(event));
    const signs = byId<HTMLDetailsElement>("signs");
    signs.open = isWide() && recall("signs") !== "closed";
    signs.addEventListener("toggle", () => remember("signs", signs.open ? "open" : "closed"));
    const box = byId("seats").closest<HTMLElement>(".wide")!;
    const fits = new ResizeObserver(() => {
      box.tabIndex = box.scrollWidth > box.clientWidth ? 0 : -1; // nothing to scroll
    });
    [box, ...box.children].forEach((each) => fits.observe(each)); // the window turns, a name is long
    setInterval(() => this.showTimes(), 500);
  }

  private hear(message: ToPage): void {
    switch (message.type) {
      case "welcome":
        return this.begin(message);
      case "position":
        return this.show(message);
      case "asked":
        return this.ask(message);
      case "drafted":
        return this.draft(message);
      case "present":
        return this.meet(message);
      case "ended":
        return this.end(message);
      case "refused":
        this.drop();
        return this.explain(message.why);
      case "stopped":
        return this.stop(message.why);
    }
  }

  private begin(welcome: Welcome): void {
    this.welcome = welcome;
    this.position = this.asked = this.ended = null;
    this.stopped = "";
    this.present.awaited = []; // the server says how long the person who is asked has had
    this.board = new Board(welcome, (key, isTarget) => this.click(key, isTarget));
    byId("picture").replaceChildren(this.board.pictures[0]);
    byId("drawn-hands").replaceChildren(this.board.pictures[1]);
    byId("heading").textContent = welcome.heading;
    byId<HTMLAnchorElement>("rules-link").href = `/rules/${welcome.game}`;
    const [, folder, name] = location.pathname.split("/");
    if (folder === "contest") byId<HTMLAnchorElement>("contest-link").href = `/contest/${name}`;
    else if (welcome.seat !== null) keepForTab(seatOf(name!), location.hash.slice(1)); // the lobby leads back here
    byId("contest-link").hidden = folder !== "contest";
    byId("keys").hidden = welcome.seat === null;
    byId("legend").replaceChildren(...welcome.legend.map((sentence) => make("li", sentence)));
    byId("log").replaceChildren();
    byId("table").hidden = false;
    byId("hand-over").hidden = !welcome.stand_in;
    const links = keptLinks(location.hash.slice(1));
    byId("links").replaceChildren(...linkLines(links));
    byId("invitations").hidden = !links.length;
  }

  private show(position: Position): void {
    const isFirst = this.position === null;
    this.position = position;
    this.asked = null;
    this.askedAt = performance.now();
    this.stopChoosing();
    this.board.show(position.parts, position.words, !isFirst);
    say(byId("text"), position.text);
    byId("as-text").hidden = !position.text;
    this.tell(position.told);
    this.showPlayers();
    this.showQuestion();
  }

  /** Add sentences to what has happened, the newest first. */
  private tell(sentences: string[]): void {
    sentences.forEach((sentence) => byId("log").prepend(make("li", sentence)));
    byId("log-box").scrollTop = 0;
    byId("log-box").tabIndex = byId("log").childElementCount ? 0 : -1; // nothing to scroll
  }

  /** Make a change; if it removes what has the focus, the question gets it. */
  private keepFocus(change: () => void): void {
    const focused = document.activeElement as HTMLElement | null;
    change();
    const isLost = focused && (!focused.isConnected || focused.closest("[hidden], :disabled, details:not([open]) > :not(summary)"));
    if (isLost && [focused, document.body].includes(document.activeElement as HTMLElement)) byId("question").focus();
  }

  private ask(asked: Asked): void {
    this.asked = asked;
    this.askedAt = performance.now() - 1000 * asked.seconds;
    if (asked.choices) this.choose(asked.choices);
    byId("rules").innerHTML = asked.rules.join("");
    this.showPlayers();
    this.showQuestion();
  }

  private meet(present: Present): void {
    if (this.present.awaited.length && !present.awaited.length) this.askedAt = performance.now();
    this.present = present;
    if (this.asked && !this.isPerson(this.asked.seat)) {
      this.asked = null;
      this.stopChoosing();
      this.showQuestion();
    }
    this.showPlayers();
  }

  private choose(choices: Choices): void {
    this.chooser = new Chooser(choices);
    byId<HTMLInputElement>("filter").value = "";
    byId<HTMLDetailsElement>("all").open = choices.legal.length <= FEW && isWide();
    say(byId("explanation"), "");
    this.showChoices();
  }

  private stopChoosing(): void {
    this.chooser = this.drafted = null;
    this.isTrying = false;
    say(byId("explanation"), "");
    this.board.mark(new Set(), []);
    this.showChoices();
  }

  private click(key: string, isTarget: boolean): void {
    if (this.isTrying) return;
    if (!this.chooser || this.drafted?.is_ready) {
      if (this.drafted) byId("send").focus();
      else if (this.welcome.seat !== null && !this.isOver) this.explain("It is not your turn.");
      return;
    }
    if (isTarget && this.chooser.click(key)) return this.clicked();
    this.explain(key ? "That can't be chosen now. Rules:" : "Nothing to choose here. Rules:");
    const rules = new Map(this.rulesOf(this.chooser.clicked).map((link) => [link.textContent, link]));
    for (const link of [...rules.values()].slice(0, MOST_RULES)) byId("explanation").append(" ", link.cloneNode(true));
  }

  /** Links to rules for this decision: to those that name a card that has been clicked, if there are any. */
  private rulesOf(clicked: string[]): HTMLAnchorElement[] {
    const cards = clicked.map((key) => /^hand\.\d+\.(\w+) /.exec(key)?.[1]).filter(Boolean);
    const all = [...byId("rules").querySelectorAll("a")];
    const apt = all.filter((link) => cards.some((card) => link.closest("p, li")!.textContent.includes(card!)));
    return apt.length ? apt : all;
  }

  private clicked(): void {
    say(byId("explanation"), "");
    const { decided } = this.chooser!.options();
    if (decided) this.pick(decided);
    else this.showChoices();
  }

  private pick(choice: Choice): void {
    this.chooser!.take(choice);
    this.try([...(this.drafted?.held ?? []), choice[0]]);
  }

  private try(held: string[]): void {
    if (!this.asked) return;
    this.isTrying = true;
    this.connection.send({ type: "try", ply: this.asked.ply, held });
    this.showChoices();
  }

  private draft(drafted: Drafted): void {
    if (drafted.ply !== this.asked?.ply) return;
    this.drafted = drafted;
    this.isTrying = false;
    if (!drafted.is_ready) this.board.draft(drafted.parts); // what the last action does is shown when it is sent
    if (drafted.choices) this.choose(drafted.choices);
    else this.showChoices();
    this.showQuestion();
    if (drafted.is_ready) byId("send").focus();
  }

  /** Take back the last click, or the last action. */
  private takeBack(): void {
    const choices = this.drafted?.choices ?? this.asked?.choices;
    if (this.chooser?.clicked.length && choices && !this.drafted?.is_ready) this.choose(choices);
    else if (this.drafted && this.drafted.held.length > 1) this.try(this.drafted.held.slice(0, -1));
    else this.drop();
  }

  /** Begin the decision again. */
  private drop(): void {
    this.drafted = null;
    this.isTrying = false;
    this.board.draft({});
    if (this.asked?.choices) this.choose(this.asked.choices);
    this.showQuestion();
  }

  private send(): void {
    if (!this.asked || !this.drafted?.is_ready) return;
    this.connection.send({ type: "send", ply: this.asked.ply, held: this.drafted.held });
    byId<HTMLButtonElement>("send").disabled = true;
  }

  private leave(type: "resign" | "hand-over", question: string): void {
    if (confirm(question)) this.connection.send({ type });
  }

  private key(event: KeyboardEvent): void {
    if (!this.welcome || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") return this.keepFocus(() => this.clearWords() || this.takeBack());
    if (event.key === "/") {
      event.preventDefault();
      byId<HTMLDetailsElement>("all").open = true;
      byId("filter").focus();
    }
  }

  /** Remove what is typed into the filter that has the focus; false if there is nothing. */
  private clearWords(): boolean {
    const filter = byId<HTMLInputElement>("filter");
    if (document.activeElement !== filter || !filter.value) return false;
    filter.value = "";
    this.listActions();
    return true;
  }

  private question(): string {
    if (this.drafted?.is_ready) return "Send this move, or take it back.";
    return this.drafted?.choices?.ask ?? this.asked?.choices?.ask ?? "";
  }

  /** What the page asks for, and what has been chosen. */
  private showQuestion(): void {
    const mine = Boolean(this.asked?.choices);
    document.title = `${mine ? "Your turn: " : ""}${this.welcome.heading}`;
    byId("question").textContent = mine ? this.question() : this.waiting();
    byId("question").classList.toggle("mine", mine);
    const sentences = this.drafted?.sentences ?? [];
    byId("chosen").replaceChildren(...sentences.map((sentence) => make("li", `You ${sentence}.`)));
    byId("send").hidden = !this.drafted?.is_ready;
    byId<HTMLButtonElement>("send").disabled = false;
    byId("back").hidden = !sentences.length && !this.chooser?.clicked.length;
  }

  private waiting(): string {
    if (this.ended || this.stopped) return this.ended?.won ?? this.stopped;
    const actor = this.position?.actor ?? -1;
    if (actor < 0) return "The game is over.";
    const isMine = actor === this.welcome.seat;
    if (this.isPerson(actor)) return isMine ? "It is your turn." : `It is ${this.welcome.players[actor]}'s turn.`;
    return isMine ? "Your move is played for you…" : `${this.welcome.players[actor]} is thinking…`;
  }

  /** Whether nothing more will be played. */
  private get isOver(): boolean {
    return Boolean(this.ended || this.stopped);
  }

  private isPerson(seat: number): boolean {
    const { bots, resigned } = this.present;
    return this.welcome.people.includes(seat) && !bots.includes(seat) && !resigned.includes(seat);
  }

  private showChoices(): void {
    const options = this.drafted?.is_ready || this.isTrying ? null : this.chooser?.options();
    byId("words").replaceChildren(
      ...(options?.whole ? [this.button(options.whole)] : []),
      ...(options?.words ?? []).map((word) => {
        const [only, other] = options!.candidates.filter((choice) => choice[2].includes(`word:${word}`));
        const button = make("button", only && !other ? only[1] : word);
        button.addEventListener("click", () => {
          this.chooser!.clickWord(word);
          this.keepFocus(() => this.clicked());
        });
        return button;
      }),
    );
    const clicked = this.chooser?.clicked ?? [];
    this.board.mark(options?.keys ?? new Set(), clicked);
    say(byId("hint"), options ? hint(options.keys, byId("words").childElementCount > 0, clicked) : "");
    byId("back").hidden = !this.drafted?.sentences.length && !this.chooser?.clicked.length;
    byId("all").hidden = !options;
    byId("why").hidden = !this.asked?.choices;
    this.listActions();
  }

  /** The legal actions as buttons: all that contain the words typed. */
  private listActions(): void {
    const typed = byId<HTMLInputElement>("filter").value;
    const candidates = this.drafted?.is_ready || this.isTrying ? [] : (this.chooser?.options().candidates ?? []);
    const found = matching(candidates, typed);
    byId("count").textContent = String(candidates.length);
    byId("actions").replaceChildren(
      ...found.map((choice) => {
        const item = make("li");
        item.append(this.button(choice));
        return item;
      }),
      ...(candidates.length && !found.length ? [make("li", "Nothing that you can do has these words.")] : []),
    );
    byId("actions").classList.toggle("filtered", typed.trim() !== "");
    if (candidates.length <= FEW && isWide() && this.chooser?.clicked.length) byId<HTMLDetailsElement>("all").open = true;
  }

  private button(choice: Choice): HTMLButtonElement {
    const button = make("button", choice[1]);
    button.addEventListener("click", () => this.keepFocus(() => this.pick(choice)));
    return button;
  }

  private explain(sentence: string): void {
    say(byId("explanation"), sentence);
  }

  private showPlayers(): void {
    if (!this.welcome) return;
    const { players, seat } = this.welcome;
    const rows = players.map((name, at) => {
      const row = make("tr");
      const who = this.present.resigned.includes(at) ? "out" : !this.isPerson(at) ? "bot" : this.present.seats.includes(at) ? "here" : "away";
      const cells = [make("td", `#${at}`), make("th", name + (at === seat ? " (you)" : "")), make("td", who), make("td")];
      cells[1]!.setAttribute("scope", "row");
      cells[3]!.className = "time";
      if (this.ended) cells.push(make("td", `${this.ended.scores[at]}`), make("td", `${this.ended.ranks[at]}.`));
      row.classList.toggle("acts", this.position?.actor === at);
      row.append(...cells);
      return row;
    });
    byId("seats").replaceChildren(...rows);
    byId("leave").hidden = seat === null || this.isOver || !this.isPerson(seat);
    byId("taken").hidden = seat === null || this.isOver || !this.present.bots.includes(seat);
    const { spectators, awaited } = this.present;
    const missing = this.isOver ? [] : awaited.map((at) => players[at]);
    say(byId("awaited"), missing.length ? `Waiting for ${missing.join(" and ")} to open the link. Until then no person's time runs.` : "");
    const isAway = (at: number): boolean => this.isPerson(at) && !this.present.seats.includes(at);
    const isOffered = Boolean(kept("owner") && this.welcome.stand_in && !this.isOver);
    byId("away").replaceChildren(...(isOffered ? players.map((_, at) => at).filter(isAway).map((at) => this.handOverButton(at)) : []));
    byId("spectators").textContent = spectators ? `${spectators} watching` : "";
    this.showTimes();
  }

  /** With it the owner lets the bot play on for a person who is away. */
  private handOverButton(seat: number): HTMLButtonElement {
    const { players, stand_in } = this.welcome;
    const button = make("button", `Let ${stand_in} play on for ${players[seat]}`);
    button.addEventListener("click", () => {
      if (!confirm(`Let ${stand_in} play on for ${players[seat]}?`)) return;
      ask(`/api${location.pathname.replace("table", "tables")}/hand-over/${seat}`, kept("owner"), {}).catch((error: Error) => this.explain(error.message));
    });
    return button;
  }

  /** The time that each seat has used, and what is left of this decision. */
  private showTimes(): void {
    if (!this.position || !this.welcome) return;
    const thinking = this.asked && this.present.awaited.length ? 0 : (performance.now() - this.askedAt) / 1000;
    byId("seats").querySelectorAll(".time").forEach((cell, seat) => {
      const acts = this.position!.actor === seat && !this.isOver;
      const spent = this.position!.spent[seat];
      cell.textContent = spent === undefined ? "" : clock(spent + (acts ? thinking : 0));
    });
    const limit = this.asked && this.welcome.person_seconds;
    const left = limit && !this.isOver ? Math.max(0, limit - thinking) : null;
    byId("left").textContent = left === null ? "" : `${clock(left)} left`;
    byId("left").classList.toggle("short", left !== null && left < 15);
  }

  private stop(why: string): void {
    this.stopped = why;
    if (!this.welcome) return say(byId("lost"), why); // there is nothing else to show
    this.asked = null;
    this.showEnd();
  }

  private end(ended: Ended): void {
    this.ended = ended;
    document.querySelectorAll<HTMLElement>(".result").forEach((heading) => (heading.hidden = false));
    this.showEnd();
    byId("over").hidden = false;
    byId<HTMLAnchorElement>("replay").href = `${location.pathname}/replay`;
  }

  private showEnd(): void {
    this.stopChoosing();
    this.showPlayers();
    this.showQuestion();
  }
}

function isWide(): boolean {
  return window.innerWidth >= WIDE;
}

/** The actions that have the words typed, in this order; first those that have them side by side, the earliest first. */
function matching(choices: Choice[], typed: string): Choice[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const place = ([action, sentence]: Choice): number => {
    const places = [sentence, action].map((text) => text.toLowerCase()).map((text) => {
      const whole = text.indexOf(words.join(" "));
      return whole >= 0 ? whole : hasInOrder(text, words) ? 1000 : Infinity;
    });
    return Math.min(...places);
  };
  return choices.filter((choice) => place(choice) < Infinity).sort((one, other) => place(one) - place(other));
}

function hasInOrder(text: string, words: string[]): boolean {
  let from = 0;
  return words.every((word) => {
    const at = text.indexOf(word, from);
    from = at + word.length;
    return at >= 0;
  });
}

/** `1:05` for seconds. */
function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

chooseTheme();
new Page();
