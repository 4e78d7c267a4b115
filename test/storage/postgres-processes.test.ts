import { once } from "node:events";
import { appendFile, readdir, readFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import type { Store } from "../../src/core/contracts.ts";
import { Failure } from "../../src/core/errors.ts";
import { openStore } from "../../src/storage/open.ts";
import { createClaims } from "../../src/storage/postgres/claims.ts";
import { createDatabase, type Database, type Driver } from "../../src/storage/postgres/database.ts";
import { createListen } from "../../src/storage/postgres/listener.ts";
import { openPostgresStore } from "../../src/storage/postgres/open-postgres.ts";
import { createPool } from "../../src/storage/postgres/pool.ts";
import { createProcesses } from "../../src/storage/postgres/processes.ts";
import { FORMAT } from "../../src/storage/postgres/schema.ts";
import { readPostgresAddress } from "../../src/storage/postgres/store-address.ts";
import {
  type PostgresServer,
  postgresPrograms,
  startPostgres,
} from "../support/postgres-server.ts";
import { tempFolder } from "../support/temp.ts";
import { startWorker } from "./workers/spawn.ts";

const HOUR_MS = 3_600_000;
const A = "a".repeat(64);
const keys = (count: number) => Array.from({ length: count }, (_, i) => `key-${i}`);

describe.skipIf(postgresPrograms() === null && !process.env.CI)("processes on PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });

  /** A folder, a schema of its own, and the log of its workers. */
  async function place() {
    const folder = await tempFolder();
    const log = join(folder, "log");
    await appendFile(log, "");
    const lines = async () => (await readFile(log, "utf8")).split("\n").filter(Boolean);
    const starts = async () =>
      (await lines()).filter((line) => line.includes("start")).map((line) => line.split(" ")[2]);
    return { store: join(folder, "store"), address: server.address(folder), log, lines, starts };
  }

  async function withSql<T>(address: string, body: (driver: Driver) => Promise<T>): Promise<T> {
    const driver = createPool(readPostgresAddress(address));
    try {
      return await body(driver);
    } finally {
      await driver.close();
    }
  }

  test("three processes with clocks an hour apart do each of the same keys once, and one file for each blob", async () => {
    const { store, address, log, starts } = await place();
    const workers = [-HOUR_MS, 0, HOUR_MS].map((clock_ms) =>
      startWorker({ do: "steps", store, address, clock_ms, log, keys: keys(30), work_ms: 50 }),
    );
    const expected = keys(30).map((key) => `value of ${key}`);
    for (const worker of workers) expect(await worker.said()).toEqual(expected);
    expect((await starts()).sort()).toEqual(keys(30).sort());

    const texts = keys(20);
    const writers = [A, "b".repeat(64)].map((video) =>
      startWorker({ do: "blobs", store, address, video, texts }),
    );
    for (const writer of writers)
      expect([await writer.said(), await writer.said()]).toEqual(["open", "done"]);
    const files = await readdir(join(store, "blobs"), { recursive: true });
    expect(files.filter((file) => file.endsWith(".txt"))).toHaveLength(20);
    expect(await readdir(join(store, "tmp"))).toEqual([]);
  });

  test("a right that could not be given back while the database was away can be taken again", async () => {
    const { store, address } = await place();
    await (await openPostgresStore(store, address)).close();
    const driver = createPool(readPostgresAddress(address));
    const db = createDatabase(driver);
    let isAway = true;
    const run: Database["run"] = (doing, ...more) =>
      isAway && doing === "giving back a right"
        ? Promise.reject(new Failure("store-unreachable", "The database is away."))
        : db.run(doing, ...more);
    const processes = createProcesses(db);
    const claims = createClaims({ ...db, run }, processes);
    await (await claims.take("x"))?.();
    isAway = false;
    const release = await claims.take("x");
    expect(release).not.toBeNull();
    expect(await claims.take("x")).toBeNull();
    await release?.();
    expect(await claims.take("x")).not.toBeNull();
    await processes.close();
    await db.close();
  });

  test("a statement that arrives late does not take the right of a later turn of its process", async () => {
    const { store, address } = await place();
    await (await openPostgresStore(store, address)).close();
    const db = createDatabase(createPool(readPostgresAddress(address)));
    const isTaken = Promise.withResolvers<void>();
    let statements = 0;
    const run: Database["run"] = async (...given) => {
      if (given[0] === "taking a right" && statements++ === 0) await isTaken.promise;
      return db.run(...given);
    };
    const processes = createProcesses(db);
    const claims = createClaims({ ...db, run }, processes);
    const early = claims.take("x");
    const release = await claims.take("x");
    expect(release).not.toBeNull();
    isTaken.resolve();
    expect(await early).toBeNull();
    await release?.();
    expect(await claims.take("x")).not.toBeNull();
    await processes.close();
    await db.close();
  });

  test("a step of a killed process is taken over, one of a running process is waited for", async () => {
    const { store, address, log, lines } = await place();
    const job = { do: "steps" as const, store, address, log, keys: ["k"] };
    const holder = startWorker({ ...job, work_ms: 600_000, clock_ms: HOUR_MS });
    while ((await lines()).length === 0) await sleep(10);
    const waiter = startWorker({ ...job, work_ms: 1, clock_ms: -HOUR_MS });
    const answer = waiter.said();
    expect(await Promise.race([answer, sleep(800, "waits")])).toBe("waits");
    await holder.kill();
    expect(await Promise.race([answer, sleep(10_000, "waits")])).toEqual(["value of k"]);
    expect(await lines()).toEqual([
      `${holder.pid} start k`,
      ...[`${waiter.pid} start k`, `${waiter.pid} end k`],
    ]);
  });

  test("a step on another machine is taken over when its heartbeat stops, and its value is then not stored", async () => {
    const { store: folder, address } = await place();
    await (await openStore(folder, address)).close();
    const store = await openPostgresStore(folder, address, { beat_ms: 50, life_ms: 400 });
    await withSql(address, async ({ send }) => {
      const beat = `UPDATE processes SET expires_at = clock_timestamp() + interval '400 ms' WHERE id = 'far'`;
      await send(
        "INSERT INTO processes VALUES ('far', 'elsewhere', 1, '1', clock_timestamp())",
        [],
      );
      await send("INSERT INTO leases VALUES ('k', 'far', 1, '{}')", []);
      await send(beat, []);
      const beats = setInterval(() => void send(beat, []), 100);
      let done = false;
      const waiting = store.memo.once({ key: "k", tags: [], run: "r" }, async () => {
        done = true;
        return 1;
      });
      await sleep(900);
      expect(done).toBe(false);
      clearInterval(beats);
      expect(await waiting).toEqual({ value: 1, cached: false });

      // A row that would expire before the next heartbeat is renewed before a lease is taken.
      await send(
        "UPDATE processes SET expires_at = clock_timestamp() + interval '40 ms' WHERE id <> 'far'",
        [],
      );
      await store.memo.once({ key: "renewed", tags: [], run: "r" }, async () => {
        const renewed =
          "SELECT 1 FROM processes WHERE expires_at > clock_timestamp() + interval '100 ms'";
        expect((await send(renewed, [])).count).toBe(1);
        return 1;
      });

      // The heartbeat of this process keeps its own lease for longer than one life of it.
      const gate = Promise.withResolvers<number>();
      const own = store.memo.once({ key: "own", tags: [], run: "r" }, () => gate.promise);
      await sleep(900);
      const alive = "SELECT 1 FROM processes WHERE id <> 'far' AND expires_at > clock_timestamp()";
      expect((await send(alive, [])).count).toBe(1);
      await send("UPDATE leases SET holder = 'far', turn = 9 WHERE key = 'own'", []);
      gate.resolve(2);
      expect(await own).toEqual({ value: 2, cached: false });
      expect(await store.memo.peek("own", "r")).toBeUndefined();
    });
    await store.close();
  });

  test("no connection is held while steps run, and a file at a provider is left to its last user", async () => {
    const { store: folder, address } = await place();
    const [one, two] = [await openStore(folder, address), await openStore(folder, address)];
    const gate = Promise.withResolvers<void>();
    let begun = 0;
    const work = async () => {
      begun++;
      await gate.promise;
      return 1;
    };
    const flights = keys(40).map((key) => one.memo.once({ key, tags: [], run: "r" }, work));
    while (begun < 40) await sleep(5);
    const file = { name: "f", place: "p", account: "a", content: A, uri: "u", expires_at: 9 };
    await one.remoteFiles.put(file);
    await two.remoteFiles.hold(file);
    expect(await one.remoteFiles.release("p", "a")).toEqual([]);
    expect(await two.remoteFiles.release("p", "a")).toEqual([file]);
    gate.resolve();
    await Promise.all(flights);
    for (const store of [one, two]) await store.close();
  });

  test("work goes on when PostgreSQL is restarted in its midst, and no step runs twice", async () => {
    const { store, address, log, starts } = await place();
    let lastStarts = await starts();
    const job = { do: "steps" as const, store, address, log, work_ms: 1_000 };
    // The last key is each one's own, so that both have started.
    const own = ["one", "two"].map((name) => [...keys(12), name]);
    const workers = own.map((all) => startWorker({ ...job, keys: all }));
    while (!["one", "two"].every((name) => lastStarts.includes(name))) {
      await sleep(10);
      lastStarts = await starts();
    }
    await server.crash();
    await sleep(1_200);
    await server.start();
    for (const [index, worker] of workers.entries())
      expect(await worker.said()).toEqual(own[index]?.map((key) => `value of ${key}`));
    expect((await starts()).sort()).toEqual([...keys(12), "one", "two"].sort());
  });

  test("a database that stays away is reported in a sentence, and used again when it is back", async () => {
    const { store: folder, address } = await place();
    const driver = createPool(readPostgresAddress(address));
    const db = createDatabase(driver, { total_ms: 200, first_ms: 20, longest_ms: 50 });
    expect(await db.row("counting", "SELECT 1 AS n")).toEqual({ n: 1 });
    await server.crash();
    const away = {
      kind: "store-unreachable",
      message: expect.stringMatching(
        /^Cannot reach the database of the store \(.*\): counting failed\./,
      ),
    };
    await expect(db.row("counting", "SELECT 1 AS n")).rejects.toMatchObject(away);
    await expect(openStore(folder, address)).rejects.toMatchObject({ kind: "store-unreachable" });
    await server.start();
    expect(await db.row("counting", "SELECT 1 AS n")).toEqual({ n: 1 });
    await db.close();
  });

  test("a newer schema, another program's, another encoding and a missing database are refused in a sentence", async () => {
    const { store: folder, address } = await place();
    const { schema } = readPostgresAddress(address);
    const refused = async (at: string, kind: string, words: string) => {
      const error = await openStore(folder, at).then(
        () => null,
        (thrown: Error) => thrown,
      );
      expect(error).toMatchObject({ kind, message: expect.stringContaining(words) });
      expect(error?.message).not.toContain("secret");
      expect(error?.message).not.toContain("\n");
    };
    const withPassword = address.replace("tester@", "tester:secret@");
    await withSql(address, async ({ send }) => {
      await send(`CREATE SCHEMA ${schema}; CREATE TABLE notes (note text)`, []);
      await refused(withPassword, "store-format", `The schema ${schema} of postgres:///`);
      await send("DROP TABLE notes", []);
      await (await openStore(folder, withPassword)).close();
      await send("UPDATE store_format SET format = $1", [FORMAT + 1]);
      await refused(withPassword, "store-format", `has format ${FORMAT + 1}; this version`);
      expect((await send("SELECT format FROM store_format", [])).rows).toEqual([
        { format: FORMAT + 1 },
      ]);
      await send("CREATE DATABASE ascii ENCODING 'SQL_ASCII' TEMPLATE template0", []);
    });
    await refused(withPassword.replace("/postgres?", "/ascii?"), "store-format", "SQL_ASCII");
    await refused(
      withPassword.replace("/postgres?", "/none?"),
      "store-unreachable",
      "no such database",
    );
    await refused("postgres://me:secret@localhost/", "wrong-usage", "it names no database");
    await refused("mysql://me:secret@localhost/x", "wrong-usage", "use postgres://");
  });

  test("a change of a question is heard by other stores of the schema, also after the connection was lost", async () => {
    const { store: folder, address } = await place();
    const elsewhere = await place();
    const [one, two] = [await openStore(folder, address), await openStore(folder, address)];
    const other = await openStore(elsewhere.store, elsewhere.address);
    const heard: string[] = [];
    const watching = await one.events.watch?.((question) => heard.push(question));
    const row = { upload: "u", owner: "", open: true, created_at: 1, json: "{}" };
    await other.service.putQuestion({ ...row, id: "of another store" });
    await two.service.putQuestion({ ...row, id: "q" });
    await two.events.append("not asked in a service", "s", 1, { type: "note", text: "x" });
    await two.events.append("q", "s", 1, { type: "note", text: "x" });
    await expect.poll(() => heard).toEqual(["q", "q"]);
    const cut =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN %'";
    await withSql(address, ({ send }) => send(cut, []));
    await expect
      .poll(
        async () => {
          await two.service.putQuestion({ ...row, id: "later" });
          return heard.at(-1);
        },
        { timeout: 10_000, interval: 200 },
      )
      .toBe("later");
    await watching?.stop();
    for (const store of [one, two, other]) await store.close();
  });

  test("a connection for changes that is lost, or cannot be opened at first, is opened by one attempt after another", async () => {
    const folder = new URL(server.address("listen")).searchParams.get("host") ?? "";
    const tries: Socket[] = [];
    // Only the second connection reaches the server.
    const proxy = createServer((socket) => {
      if (tries.push(socket.on("error", () => {})) !== 2) socket.destroy();
      else socket.pipe(connect(join(folder, ".s.PGSQL.5432"))).pipe(socket);
    }).listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const { port } = proxy.address() as AddressInfo;
    const place = readPostgresAddress(`postgres://tester@127.0.0.1:${port}/postgres`);
    const listening = await createListen(place, 40)("changes", () => {});
    await expect.poll(() => tries.length).toBe(2);
    await sleep(100);
    expect(tries).toHaveLength(2);
    tries[1]?.destroy();
    await sleep(600);
    await listening.stop();
    proxy.close();
    expect(tries.length).toBeGreaterThan(3);
    expect(tries.length).toBeLessThanOrEqual(2 + 600 / 40);
  });

  test("many processes can open a new schema at once", async () => {
    const { store, address } = await place();
    const opened = await Promise.all(keys(8).map((): Promise<Store> => openStore(store, address)));
    for (const one of opened) await one.close();
  });
});
