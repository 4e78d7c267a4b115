import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** AuthenticationOk, and ReadyForQuery outside a transaction. */
const WELCOME = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
const TERMINATE = 0x58;

/** A session of the server. `onReply` gets its replies, and whether the transaction has ended with them. */
interface Session {
  socket: Socket;
  onReply: (bytes: Buffer, isIdle: boolean) => void;
}

/**
 * A pooler in transaction mode on loopback: a client has one of the sessions from its first statement to the end of the
 * transaction. `last` says whether that is the one that was used last, or the one that has been unused for longest. It
 * serves clients of one user and database, which send a statement after the reply to the one before.
 */
export async function startTransactionPooler(serverSocket: string, size: number, last: boolean) {
  const idle: Session[] = [];
  const waiting: ((session: Session) => void)[] = [];
  const sockets: Socket[] = [];
  let login: Promise<void> | undefined;

  function release(session: Session): void {
    const next = waiting.shift();
    if (next === undefined) idle.push(session);
    else next(session);
  }

  async function take(): Promise<Session> {
    const session = last ? idle.pop() : idle.shift();
    return session ?? new Promise((resolve) => waiting.push(resolve));
  }

  /** Opens the sessions with the login of the first client. */
  async function open(startup: Buffer): Promise<void> {
    for (let count = 0; count < size; count++) {
      const socket = connect(serverSocket);
      socket.on("error", () => {});
      sockets.push(socket);
      const ready = Promise.withResolvers<void>();
      const session: Session = { socket, onReply: (_bytes, isIdle) => isIdle && ready.resolve() };
      socket.on("data", repliesOf(session));
      socket.write(startup);
      await ready.promise;
      idle.push(session);
    }
  }

  const pooler = createServer((client) => {
    client.on("error", () => {});
    sockets.push(client);
    let session: Session | undefined;
    let isWelcome = false;
    client.on("data", async (sent) => {
      if (!isWelcome) {
        isWelcome = true;
        login ??= open(sent);
        await login;
        return client.write(WELCOME);
      }
      if (sent[0] === TERMINATE) return client.end();
      session ??= await take();
      const mine = session;
      mine.onReply = (bytes, isIdle) => {
        if (isIdle) {
          session = undefined;
          release(mine);
        }
        client.write(bytes);
      };
      return mine.socket.write(sent);
    });
  }).listen(0, "127.0.0.1");
  await once(pooler, "listening");
  return {
    port: (pooler.address() as AddressInfo).port,
    close() {
      for (const socket of sockets) socket.destroy();
      pooler.close();
    },
  };
}

/** Splits what arrives into messages: a byte for the type, four for the length, which includes themselves. */
function repliesOf(session: Session): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const message = rest.subarray(0, 1 + rest.readUInt32BE(1));
      rest = rest.subarray(message.length);
      session.onReply(message, message[0] === 0x5a && message[5] === 0x49);
    }
  };
}
