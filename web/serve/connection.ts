import type { FromPage, ToPage } from "./protocol";

const NO_GAME = 4404;
const OVER = 4410;
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
      if (event.code === NO_GAME) return this.lost("This link leads to no game that is being played. Ask for it again.");
      this.lost("The connection is lost; trying again…");
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(LONGEST_WAIT, 2 * this.wait);
    };
  }
}
