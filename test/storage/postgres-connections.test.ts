import { once } from "node:events";
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createBudgets } from "../../src/app/service/budgets.ts";
import { createUsageRecorder } from "../../src/app/service/usage-recorder.ts";
import { openStore } from "../../src/storage/open.ts";
import { createDatabase, type Database, type Driver } from "../../src/storage/postgres/database.ts";
import { createListen } from "../../src/storage/postgres/listener.ts";
import { createMemo } from "../../src/storage/postgres/memo.ts";
import { createPool } from "../../src/storage/postgres/pool.ts";
import { createProcesses } from "../../src/storage/postgres/processes.ts";
import { prepareSchema } from "../../src/storage/postgres/schema.ts";
import { createServiceStore } from "../../src/storage/postgres/service-store.ts";
import { createSpendingAccounts } from "../../src/storage/postgres/spending-accounts.ts";
import { readPostgresAddress } from "../../src/storage/postgres/store-address.ts";
import {
  type PostgresServer,
  postgresPrograms,
  startPostgres,
} from "../support/postgres-server.ts";
import { tempFolder } from "../support/temp.ts";
import { startTransactionPooler } from "../support/transaction-pooler.ts";

/** Accepts connections to the server by TCP, and passes each to `link` with one to the server. */
async function startProxy(address: string, link: (socket: Socket, inner: Socket) => void) {
  const folder = new URL(address).searchParams.get("host") ?? "";
  const sockets: Socket[] = [];
  const proxy = createServer((socket) => {
    const inner = connectSocket(join(folder, ".s.PGSQL.5432"));
    for (const one of [socket, inner]) one.on("error", () => {});
    sockets.push(socket, inner);
    link(socket, inner);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  return {
    address: (schema: string) => `postgres://tester@127.0.0.1:${port}/postgres?schema=${schema}`,
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

describe.skipIf(postgresPrograms() === null && !process.env.CI)("connections to PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });

  /** A database of its own connections, closed with the test. */
  function connect(address: string): Database {
    const db = createDatabase(createPool(readPostgresAddress(address)));
    onTestFinished(() => db.close());
    return db;
  }

  test("tables are in the schema of the store, and the options of the address stay", async () => {
    const options = encodeURIComponent("-c search_path=public -c work_mem=7MB");
    const address = `${server.address("options")}&options=${options}`;
    await (await openStore(await tempFolder(), address)).close();
    const db = connect(address);
    expect(
      await db.rows(
        "test",
        `SELECT table_schema AS schema, current_setting('work_mem') AS work_mem
         FROM information_schema.tables WHERE table_name = 'store_format'`,
      ),
    ).toEqual([{ schema: server.schema("options"), work_mem: "7MB" }]);
  });

  test("connections that use another schema are refused, before and after the tables are made", async () => {
    const place = readPostgresAddress(server.address("right"));
    const wrong = connect(server.address("wrong"));
    const refused = {
      kind: "store-format",
      message: expect.stringContaining(
        `uses the schema (none) instead of ${place.schema}. Connect`,
      ),
    };
    await expect(prepareSchema(wrong, place)).rejects.toMatchObject(refused);
    const found = "SELECT to_regclass($1 || '.store_format') AS found";
    expect(await wrong.row("test", found, [place.schema])).toEqual({ found: null });
    await prepareSchema(connect(server.address("right")), place);
    await expect(prepareSchema(wrong, place)).rejects.toMatchObject(refused);
  });

  test.each([
    ["that was used last", true],
    ["that has been unused for longest", false],
  ])("a pooler in transaction mode, which uses the session %s, is refused", async (_name, last) => {
    const socket = join(
      new URL(server.address("x")).searchParams.get("host") ?? "",
      ".s.PGSQL.5432",
    );
    for (const sessions of [1, 2, 3]) {
      const pooler = await startTransactionPooler(socket, sessions, last);
      onTestFinished(pooler.close);
      const schema = server.schema(`pooled_${last}_${sessions}`);
      const address = `postgres://tester@127.0.0.1:${pooler.port}/postgres?schema=${schema}`;
      await expect(openStore(await tempFolder(), address)).rejects.toMatchObject({
        kind: "store-format",
        message: `Connections to postgres://127.0.0.1:${pooler.port}/postgres share sessions of the server, as through a pooler in transaction mode. Connect directly or through a pooler in session mode.`,
      });
      const found = "SELECT to_regnamespace($1) AS found";
      expect(await connect(server.address("x")).row("test", found, [schema])).toEqual({
        found: null,
      });
    }
  });

  test("a statement that meets a time limit of the server is no damage", async () => {
    const options = encodeURIComponent("-c statement_timeout=50");
    const db = connect(`${server.address("limit")}&options=${options}`);
    await expect(db.rows("waiting", "SELECT pg_sleep(5)")).rejects.toMatchObject({
      kind: "store-busy",
      message: expect.stringContaining("at its time limit"),
    });
  });

  test("the lease and the reservation of a call whose reply was lost are given back", async () => {
    const place = readPostgresAddress(server.address("lost"));
    const pool = createPool(place);
    let isLossy = false;
    const driver: Driver = {
      ...pool,
      async send(sql, values) {
        const result = await pool.send(sql, values);
        if (isLossy && /start_step|reserve_spending/.test(sql))
          throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
        return result;
      },
    };
    const db = createDatabase(driver, { total_ms: 100, first_ms: 20, longest_ms: 40 });
    await prepareSchema(db, place);
    const [mine, others] = [createProcesses(db), createProcesses(db)];
    // The heartbeat of a service always runs.
    mine.stay();
    await mine.renew();
    const accounts = createSpendingAccounts(db, mine);
    await accounts.open("run", 1, 0);
    const step = { key: "k", tags: [], run: "r" };
    isLossy = true;
    const unreachable = { kind: "store-unreachable" };
    await expect(createMemo(db, mine).once(step, async () => 1)).rejects.toMatchObject(unreachable);
    await expect(accounts.reserve("run", 0.75)).rejects.toMatchObject(unreachable);
    isLossy = false;
    expect(await db.rows("test", "SELECT holder FROM leases")).toEqual([{ holder: mine.id }]);
    expect(await accounts.read("run")).toMatchObject({ spent: 0, reserved: 0.75 });

    expect(await createMemo(db, others).once(step, async () => 2)).toMatchObject({ value: 2 });
    await expect
      .poll(() => accounts.read("run"), { timeout: 10_000 })
      .toMatchObject({ spent: 0, reserved: 0, unconfirmed: 0 });
    for (const processes of [mine, others]) await processes.close();
    await db.close();
  }, 20_000);

  test("what was used and spent counts once, though the connection ended before the reply to its commit", async () => {
    let isLossy = false;
    let cut = 0;
    const proxy = await startProxy(server.address("commits"), (socket, inner) => {
      let ends = false;
      socket.on("data", (sent) => {
        ends ||= isLossy && /COMMIT|INTO spent/.test(sent.toString("latin1"));
        inner.write(sent);
      });
      inner.on("data", (reply) => {
        if (!ends) return socket.write(reply);
        cut++;
        return socket.destroy();
      });
    });
    const place = readPostgresAddress(proxy.address(server.schema("commits")));
    const db = createDatabase(createPool(place), { total_ms: 200, first_ms: 20, longest_ms: 40 });
    await prepareSchema(db, place);
    const old = "INSERT INTO added_batches (id, at) VALUES ('old', now() - interval '3 days')";
    await db.run("test", old);
    const service = createServiceStore(db);
    const recorder = createUsageRecorder(service);
    const budgets = createBudgets(service);
    const of = { owner: "ann", strategy: "rrd", model: "m" };
    const call = { calls: 1, frames: 0, input: 10, output: 3, cost: 0.5, paid: 0.25 };
    isLossy = true;
    const unreachable = { kind: "store-unreachable" };
    await expect(recorder.call(of, call)).rejects.toMatchObject(unreachable);
    await expect(budgets.spend("ann", "q", 0.25)).rejects.toMatchObject(unreachable);
    expect(cut).toBeGreaterThan(1);
    isLossy = false;
    await recorder.call(of, call);
    await budgets.spend("ann", "q", 0.5);
    const days = { owner: null, since: "2000-01-01", until: "2999-01-01" };
    expect(await service.usage(days, "model")).toMatchObject([
      { group: "m", calls: 2, input: 20, output: 6, cost: 1, paid: 0.5 },
    ]);
    expect(await budgets.unspent("ann", 1)).toBeCloseTo(0.25);
    // Two of each; the old one was removed.
    expect(await db.row("test", "SELECT count(*) AS n FROM added_batches")).toEqual({ n: 4 });
    await db.close();
    proxy.close();
  });

  test("a connection for changes that is dropped silently is opened again", async () => {
    const sockets: Socket[] = [];
    const proxy = await startProxy(server.address("listen"), (socket, inner) => {
      sockets.push(socket);
      socket.pipe(inner).pipe(socket);
    });
    const place = readPostgresAddress(proxy.address("public"));
    let heard = 0;
    const listening = await createListen(place, 40, 300)("dropped", () => heard++);
    const db = connect(server.address("listen"));
    const notify = async () => {
      await db.run("test", "NOTIFY dropped");
      return heard;
    };
    await expect.poll(notify).toBeGreaterThan(0);
    // Several checks pass on a connection that replies.
    await sleep(1_000);
    expect(sockets).toHaveLength(1);
    // Neither side hears of the end.
    sockets[0]?.unpipe().pause();
    await expect.poll(() => sockets.length, { timeout: 5_000 }).toBeGreaterThan(1);
    const before = heard;
    await expect.poll(notify, { timeout: 5_000 }).toBeGreaterThan(before);
    // Stopping does not wait for a connection that is dropped.
    sockets.at(-1)?.unpipe().pause();
    await listening.stop();
    proxy.close();
  });
});
