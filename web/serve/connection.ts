import { keepForTab, kept, seatOf } from "../common/kept";
import { sentence } from "./api";
import type { FromPage, ToPage } from "./protocol";

const NO_GAME = 4404;
const OVER = 4410;
const REFUSED = [4429, 4430]; // too many messages, too many people; the reason is a sentence
const LONGEST_WAIT = 5000;

/** The conversation with the server about one game; a lost connection is made again. */
export class Connection {
  private socket!: WebSocket;
  private wait = 250;

  /** `lost` hears why the connection is lost and whether it is tried again. */
  constructor(
    private readonly address: string,
    private readonly token: string,
    private readonly hear: (message: ToPage) => void,
    private readonly lost: (sentence: string) => void,
  ) {
    this.open();
  }

  send(message: FromPage): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private open(): void {
    this.socket = new WebSocket(this.address);
    this.socket.onopen = () => this.send({ type: "join", token: this.token });
    this.socket.onmessage = (event) => {
      this.wait = 250;
      this.lost("");
      this.hear(JSON.parse(event.data as string) as ToPage);
    };
    this.socket.onclose = (event) => {
      if (event.code === OVER) return location.replace(`${location.pathname}/replay`);
      if (event.code === NO_GAME) {
        const seat = seatOf(location.pathname.split("/")[2]!);
        if (kept(seat) === this.token) keepForTab(seat, ""); // another table has the number
        return this.lost("This link leads to no game that is being played. Ask for it again.");
      }
      const isRefused = REFUSED.includes(event.code);
      if (isRefused) this.wait = LONGEST_WAIT;
      this.lost(isRefused ? `${sentence(event.reason)} Trying again…` : "The connection is lost; trying again…");
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(LONGEST_WAIT, 2 * this.wait);
    };
  }
}
