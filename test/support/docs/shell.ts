/**
 * Runs command lines of video-rrd one after another in one process, which loads the code once. Requests come over a
 * socket: `POST /run`, `POST /parse` or `POST /module` with a folder that contains `args` and `env` (each item ends with
 * NUL). Output is written to `out` and `err` in that folder, and the response is the exit code.
 * `node shell.ts SOCKET CLI INDEX`
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { registerHooks } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Command } from "commander";

const [socket = "", cli = "", index = ""] = process.argv.slice(2);
const { main } = (await import(pathToFileURL(cli).href)) as {
  main: (argv: readonly string[]) => Promise<void>;
};
const { createProgram } = (await import(pathToFileURL(join(dirname(cli), "program.ts")).href)) as {
  createProgram: (argv: readonly string[]) => Promise<Command>;
};

/** Source files of the package's exports. */
const OWN: Readonly<Record<string, string>> = {
  "video-rrd": index,
  "video-rrd/testing": join(dirname(index), "../testing/index.ts"),
  "video-rrd/client": join(dirname(index), "../client/index.ts"),
};

/** LangChain packages, which a reader installs, resolve to those of the project. */
const INSTALLED = /^(?:langchain$|@langchain\/)/;

registerHooks({
  resolve(name, context, next) {
    const own = OWN[name];
    if (own !== undefined) return { url: pathToFileURL(own).href, shortCircuit: true };
    const parentURL = INSTALLED.test(name) ? pathToFileURL(index).href : context.parentURL;
    return next(name, { ...context, parentURL });
  },
});

const ACTIONS: Record<string, (args: string[]) => Promise<number>> = {
  "/run": async (args) => {
    process.exitCode = 0;
    await main(args);
    return Number(process.exitCode ?? 0);
  },
  "/parse": async (args) => {
    const program = await createProgram(args);
    for (const command of commandsOf(program)) command.action(() => {});
    await program.parseAsync(args, { from: "user" });
    return 0;
  },
  "/module": async ([file = ""]) => {
    await import(pathToFileURL(file).href);
    return 0;
  },
};

function commandsOf(command: Command): Command[] {
  return command.commands.flatMap((one) =>
    one.commands.length === 0 ? [one] : [...commandsOf(one)],
  );
}

let last: Promise<unknown> = Promise.resolve();
const server = createServer(async (request, response) => {
  let folder = "";
  for await (const chunk of request) folder += chunk;
  const action = ACTIONS[request.url ?? ""];
  last = last.then(async () => {
    const code = action === undefined ? 64 : await inFolder(folder, action);
    response.end(String(code));
  });
});
server.listen(socket, () => process.send?.("ready"));
process.on("disconnect", () => process.exit());

async function inFolder(
  folder: string,
  action: (args: string[]) => Promise<number>,
): Promise<number> {
  const items = (name: string) => readFileSync(join(folder, name), "utf8").split("\0").slice(0, -1);
  const before = { ...process.env };
  const env = Object.fromEntries(
    items("env").map((line) => [
      line.slice(0, line.indexOf("=")),
      line.slice(line.indexOf("=") + 1),
    ]),
  );
  const printed = { out: "", err: "" };
  const { stdout, stderr } = process;
  const writers = [stdout.write, stderr.write] as const;
  const capture = (name: "out" | "err") =>
    ((text: string | Uint8Array, ...rest: unknown[]) => {
      printed[name] += typeof text === "string" ? text : Buffer.from(text).toString();
      const done = rest.find((item) => typeof item === "function");
      if (typeof done === "function") done();
      return true;
    }) as typeof stdout.write;
  stdout.write = capture("out");
  stderr.write = capture("err");
  Object.assign(process.env, env);
  if (env.PWD !== undefined) process.chdir(env.PWD);
  try {
    return await action(items("args"));
  } catch (error) {
    printed.err += `${error instanceof Error ? error.stack : String(error)}\n`;
    return 70;
  } finally {
    [stdout.write, stderr.write] = writers;
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
    writeFileSync(join(folder, "out"), printed.out);
    writeFileSync(join(folder, "err"), printed.err);
  }
}
