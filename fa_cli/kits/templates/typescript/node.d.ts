// What this bot uses of Node, so that it compiles without the package @types/node. If you install that, delete this.
declare const process: {
  stdin: unknown;
  stdout: { write(text: string): void };
  exit(status: number): never;
};
declare const console: { error(...what: unknown[]): void };
declare module "node:readline" {
  function createInterface(options: { input: unknown }): { on(event: "line", hear: (line: string) => void): void };
}
