import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sha256 } from "../../src/core/hash.ts";

/* PostgreSQL on a socket in a temporary folder. */

const INSTALLED = "/usr/lib/postgresql";
/** `nobody`: the server refuses to run as root. */
const NOBODY = 65_534;
const AS_NOBODY = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--inh-caps=-all"];
const INITDB = ["--no-sync", "-A", "trust", "-E", "UTF8", "--locale=C", "-U", "tester"];
const CLUSTERS = join(import.meta.dirname, "../../node_modules/.cache/postgres");
const SETTINGS = {
  listen_addresses: "",
  max_connections: "60",
  shared_buffers: "16MB",
};

/** The folder of the server's programs; null if it is not installed. */
export function postgresPrograms(): string | null {
  if (!existsSync(INSTALLED)) return null;
  const versions = readdirSync(INSTALLED).sort((a, b) => Number(a) - Number(b));
  const folders = versions.map((version) => join(INSTALLED, version, "bin"));
  return folders.filter((folder) => existsSync(join(folder, "initdb"))).at(-1) ?? null;
}

export interface PostgresServer {
  /** The address of a store with a schema of its own for each name. */
  address(name: string): string;
  schema(name: string): string;
  /** Ends the server at once, as a crash does. */
  crash(): Promise<void>;
  /** Ends the server and its connections in order, as `pg_ctl stop -m fast` does. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Ends the server and removes its folder. */
  remove(): Promise<void>;
}

/** Writes to the disk are not waited for. */
const UNSAFE = { fsync: "off", full_page_writes: "off" };

/** A new cluster, made once for each version: `initdb` takes longer than most tests. */
function clusterOf(programs: string): string {
  const made = join(CLUSTERS, programs.replaceAll("/", "_"));
  if (existsSync(made)) return made;
  mkdirSync(CLUSTERS, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), "video-rrd-initdb-"));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const user = isRoot ? ["setpriv", ...AS_NOBODY] : [];
  const [program = "", ...rest] = [...user, join(programs, "initdb"), ...INITDB];
  execFileSync(program, [...rest, "-D", join(folder, "data")], {
    ...{ cwd: folder, stdio: "ignore" },
    env: { ...process.env, LC_ALL: "C" },
  });
  const copied = mkdtempSync(join(CLUSTERS, "making-"));
  cpSync(join(folder, "data"), copied, { recursive: true });
  rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(copied, made);
  } catch {
    // Another process was faster.
    rmSync(copied, { recursive: true, force: true });
  }
  return made;
}

/** Starts a server, which also ends with this process. `durable`: commits are on the disk. */
export async function startPostgresServer({ durable = false } = {}): Promise<PostgresServer> {
  const programs = postgresPrograms();
  if (programs === null) throw new Error("PostgreSQL is not installed: apt-get install postgresql");
  const folder = mkdtempSync(join(tmpdir(), "video-rrd-pg-"));
  const data = join(folder, "data");
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const user = isRoot ? AS_NOBODY : [];
  const command = (name: string, args: string[]) =>
    ["setpriv", [...user, "--pdeathsig=SIGQUIT", join(programs, name), ...args]] as const;
  const options = { cwd: folder, env: { ...process.env, LC_ALL: "C" } };
  cpSync(clusterOf(programs), data, { recursive: true });
  // The server refuses a folder that others can read.
  chmodSync(data, 0o700);
  if (isRoot) execFileSync("chown", ["-R", `${NOBODY}:${NOBODY}`, data]);
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    const safety = durable ? {} : UNSAFE;
    const settings = Object.entries({ ...SETTINGS, ...safety, unix_socket_directories: folder });
    const args = settings.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const child = spawn(...command("postgres", ["-D", data, ...args]), {
      ...options,
      stdio: ["ignore", "ignore", "pipe"],
    });
    server = child;
    let log = "";
    child.stderr.on("data", (chunk) => {
      log += chunk;
    });
    while (!log.includes("ready to accept connections")) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL did not start: ${log}`);
      await sleep(5);
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const child = server;
    server = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  await start();
  const schema = (name: string) => `t_${sha256(name).slice(0, 16)}`;
  return {
    schema,
    address: (name) => `postgres://tester@localhost/postgres?host=${folder}&schema=${schema(name)}`,
    crash: () => end("SIGQUIT"),
    stop: () => end("SIGINT"),
    start,
    async remove() {
      await end("SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
