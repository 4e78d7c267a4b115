import { connect, type Socket } from "node:net";

export interface StalledClient {
  socket: Socket;
  /** Resolves when the server has closed the connection. */
  closed: Promise<void>;
  /** Reads to the end of the connection; returns everything received. */
  rest(): Promise<string>;
}

/** Requests a path over a raw socket and does not read the response, so that the kernel's buffers fill up. */
export async function openStalledClient(
  url: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<StalledClient> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), onread: undefined });
  socket.pause();
  const closed = new Promise<void>((done) => {
    socket.once("close", () => done());
  });
  socket.on("error", () => {});
  await new Promise((done) => socket.once("connect", done));
  const lines = Object.entries({ host: `${hostname}:${port}`, ...headers });
  socket.write(
    `GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
  );
  return {
    socket,
    closed,
    async rest() {
      let text = "";
      socket.on("data", (chunk) => {
        text += String(chunk);
      });
      socket.resume();
      await closed;
      return text;
    },
  };
}
