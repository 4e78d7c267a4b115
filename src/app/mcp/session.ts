import pLimit from "p-limit";
import type { ShownState } from "../../../graphs/toolbox/shown-evidence.ts";
import { createLedger, type Ledger, NO_BUDGET } from "../../core/ledger.ts";
import { createBackgroundJobs } from "./background-jobs.ts";
import type { CallGate } from "./call-gate.ts";
import type { McpHost } from "./host.ts";

/** Videos about which a session remembers what it showed. */
const MOST_CONVERSATIONS = 32;

/** What a client was shown of one video. Evidence keeps its name (`E1`) for the whole session. */
export interface Conversation {
  state: ShownState | undefined;
  indexed: boolean;
  ledger: Ledger;
  /** Runs calls one after another, so that evidence is named in the same order. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

/** What one connection of a client works with. */
export interface McpSession {
  host: McpHost;
  gate: CallGate;
  jobs: ReturnType<typeof createBackgroundJobs>;
  conversation(video: string): Conversation;
  /** Aborts what runs in the background, and waits until it has ended. */
  close(): Promise<void>;
}

export function createSession(host: McpHost, gate: CallGate): McpSession {
  const conversations = new Map<string, Conversation>();
  const jobs = createBackgroundJobs();
  return {
    host,
    gate,
    jobs,
    conversation(video) {
      const known = conversations.get(video) ?? newConversation();
      conversations.delete(video);
      conversations.set(video, known);
      const [oldest] = conversations.keys();
      if (conversations.size > MOST_CONVERSATIONS && oldest !== undefined)
        conversations.delete(oldest);
      return known;
    },
    close: () => jobs.close(),
  };
}

function newConversation(): Conversation {
  const one = pLimit(1);
  return {
    state: undefined,
    indexed: false,
    ledger: createLedger(NO_BUDGET),
    inTurn: (work) => one(work),
  };
}
