/**
 * Runs the graph for one thread with a checkpointer, prints what it returns as one line, and stays alive until it is
 * killed, as a server does while it waits for a person.
 */
import { Command } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { askGraph } from "../../graphs/ask-graph.ts";
import "../../src/app/registry.ts";

export interface ReviewStep {
  /** A file of SQLite, or an address of PostgreSQL. */
  checkpoints: string;
  /** Null: continue what was interrupted. */
  input: object | null;
  resume?: unknown;
}

const { checkpoints, input, resume } = JSON.parse(process.argv[2] ?? "") as ReviewStep;
const graph = await askGraph({ checkpointer: await openCheckpoints() });
const thread = { configurable: { thread_id: "one" } };
const result = await graph.invoke(
  resume === undefined ? (input as never) : new Command({ resume }),
  thread,
);
process.stdout.write(`${JSON.stringify(result)}\n`);
setInterval(() => undefined, 1000);

async function openCheckpoints() {
  if (!checkpoints.startsWith("postgres://")) return SqliteSaver.fromConnString(checkpoints);
  const saver = PostgresSaver.fromConnString(checkpoints);
  await saver.setup();
  return saver;
}
