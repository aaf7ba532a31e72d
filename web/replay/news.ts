import { byId, make } from "../common/dom";
import { between, type Game, type Replay, type Scored, tell } from "./data";

/** What led to a position: the points as a small table, then all sentences; a button shows those that are cut off. */
export class News {
  private readonly box = byId("news");
  private readonly table = byId<HTMLTableElement>("scoring");
  private readonly announcement = byId("announcement");
  private readonly more = byId<HTMLButtonElement>("more");

  constructor(private readonly replay: Replay) {
    this.more.addEventListener("click", () => {
      this.box.classList.toggle("whole");
      this.count();
    });
    window.addEventListener("resize", () => this.count());
  }

  show(game: Game, before: number, position: number, view: number | null): void {
    const scored = between(game.scored, before, position);
    this.table.hidden = scored.length < 2;
    if (!this.table.hidden) this.fill(game, scored);
    this.announcement.textContent = tell(this.replay, game, before, position, view).join("\n");
    this.box.scrollTop = 0;
    this.count();
  }

  private fill(game: Game, scored: Scored[]): void {
    const reasons = [...new Set(scored.map(([, , , what]) => what))];
    const sum = (rows: Scored[]): string => String(rows.reduce((total, [, , points]) => total + points, 0) || "");
    const head = make("thead");
    const names = make("tr");
    names.append(...["seat", "sum", ...reasons].map((name) => headed(shorter(name), "col")));
    head.append(names);
    const body = make("tbody");
    game.players.forEach((_, seat) => {
      const own = scored.filter(([, scorer]) => scorer === seat);
      const row = make("tr");
      const sign = headed("", "row");
      sign.innerHTML = game.signs[seat]!;
      sign.append(`#${seat}`);
      row.append(sign, make("td", sum(own)), ...reasons.map((reason) => make("td", sum(own.filter(([, , , what]) => what === reason)))));
      body.append(row);
    });
    this.table.replaceChildren(head, body);
  }

  /** Say how many lines are cut off. */
  private count(): void {
    const whole = this.box.classList.contains("whole");
    const line = parseFloat(getComputedStyle(this.announcement).lineHeight);
    const cut = Math.ceil((this.box.scrollHeight - this.box.clientHeight) / line - 0.2);
    this.more.hidden = cut <= 0 && !whole;
    this.more.textContent = whole ? "fewer lines" : `+${cut} ${cut === 1 ? "line" : "lines"}`;
  }
}

/** `Manh.` for `Manhattan`, so that all cities have room. */
function shorter(name: string): string {
  return name.length > 6 ? `${name.slice(0, 4)}.` : name;
}

function headed(text: string, scope: string): HTMLTableCellElement {
  const cell = make("th", text);
  cell.scope = scope;
  return cell;
}
