import { connect, type Socket } from "node:net";

export interface MuteReader {
  socket: Socket;
  /** Resolves when the server has closed the connection. */
  closed: Promise<void>;
  /** Reads on, and gives all that came to the end of the connection. */
  rest(): Promise<string>;
}

/** Asks for a path over a bare connection, and reads nothing of the answer: the kernel's buffers fill up. */
export async function openMuteReader(
  url: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<MuteReader> {
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
