import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeData, startSlowModel } from "./eval-data.ts";
import { measuredCommand, type ProcessUse, packagedCommand } from "./measured-command.ts";

export const REPLY_S = 0.2;

/** A benchmark of questions without pictures, and a model that takes 200 ms to reply. */
export interface TextRun {
  url: string;
  /** Seconds that the calls take with so many in flight. */
  ideal(connections: number): number;
  /** `video-rrd eval --strategy blind`, its start included. The same `store` again answers from the memo. */
  eval(connections: number, store: string): Promise<ProcessUse>;
  /** The same questions by promptfoo, at the path of its program. */
  promptfoo(program: string, connections: number): Promise<ProcessUse>;
}

/** Runs `work` with these questions in a temporary folder. */
export async function withTextRun<T>(
  questions: number,
  work: (run: TextRun) => Promise<T>,
): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  const server = await startSlowModel(REPLY_S);
  const { url } = server;
  const data = join(root, "data");
  let runs = 0;
  try {
    await makeData(data, questions);
    return await work({
      url,
      ideal: (connections) => (questions / connections) * REPLY_S,
      eval: async (connections, store) =>
        measuredCommand(
          [
            ...[await packagedCommand(), "eval", "mmr-v", "--data", data, "--strategy", "blind"],
            ...["--model", "openai:slow", "--base-url", url],
            ...["--max-connections", String(connections)],
            ...["--data-dir", join(root, store), "--out", join(root, `run-${runs++}`)],
          ],
          { cwd: root },
        ),
      promptfoo: async (program, connections) => {
        await writePromptfoo(root, data, url);
        return measuredCommand(
          [
            ...[program, "eval", "-j", String(connections), "--no-cache", "--no-table"],
            ...["--no-progress-bar", "-o", join(root, "promptfoo.json")],
          ],
          { cwd: root, env: { ...QUIET, PROMPTFOO_CONFIG_DIR: join(root, `promptfoo-${runs++}`) } },
        );
      },
    });
  } finally {
    server.stop();
    await rm(root, { recursive: true, force: true });
  }
}

/** promptfoo asks no other server than the model. */
const QUIET = {
  PROMPTFOO_DISABLE_TELEMETRY: "1",
  PROMPTFOO_DISABLE_UPDATE: "1",
  PROMPTFOO_DISABLE_REMOTE_GENERATION: "1",
};

interface MmrRow {
  question: string;
  options: string[];
}

/** The same texts, each with a check for the letter. */
async function writePromptfoo(folder: string, data: string, url: string): Promise<void> {
  const rows = JSON.parse(await readFile(join(data, "MMR-V.json"), "utf8")) as MmrRow[];
  const config = {
    providers: [{ id: "openai:chat:slow", config: { apiBaseUrl: url, apiKey: "none" } }],
    prompts: ["{{question}}\n{{choices}}"],
    tests: rows.map(({ question, options }) => ({
      vars: { question, choices: options.join("\n") },
      assert: [{ type: "icontains", value: "[[A]]" }],
    })),
  };
  await writeFile(join(folder, "promptfooconfig.json"), JSON.stringify(config));
}
