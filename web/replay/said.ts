import { byId, make } from "../common/dom";
import { type Game } from "./data";

/** What language models were asked and answered on the way to a position, as far as a view may know it. */
export class Said {
  private readonly box = byId("said");
  private readonly list = byId("exchanges");

  show(game: Game, before: number, position: number, view: number | null): void {
    const shown = game.said.filter(([at, seat]) => at > before && at <= position && (view === null || view === seat));
    this.box.hidden = !shown.length;
    this.list.replaceChildren(
      ...shown.flatMap(([, seat, question, answer, facts, earlier]) => {
        const asked = make("details");
        const more = earlier ? ` last, after ${earlier} earlier message${earlier > 1 ? "s" : ""}` : "";
        asked.append(make("summary", `What it was asked${more}`), make("pre", question));
        return [make("p", `#${seat} ${game.players[seat]}: ${facts}`), make("pre", answer || "(nothing)"), asked];
      }),
    );
  }
}
