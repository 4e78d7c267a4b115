import { isOutage, PAUSES, pause } from "./outage.ts";
import { ApiProblem } from "./problem.ts";

/** What happens while a question is answered. `at` is an instant; `type` says which other members there are. */
export interface QuestionEvent {
  /** Counts from 1 within a question. */
  seq: number;
  question: string;
  at: string;
  stage: string;
  type: "stage" | "progress" | "evidence" | "retrieved" | "call" | "note" | "answer" | "failed";
  [member: string]: unknown;
}

const LONGEST_PAUSE_MS = 32_000;

type Send = (path: string, init: RequestInit) => Promise<Response>;

/** The events of a question in order, each once, until it ends. A stream over which nothing comes is opened again for a minute. */
export async function* readEvents(
  send: Send,
  question: string,
  { after = 0, signal }: { after?: number; signal?: AbortSignal } = {},
): AsyncGenerator<QuestionEvent, void, undefined> {
  let seen = after;
  for (let failed = 0; ; failed++) {
    try {
      const path = `/api/v1/questions/${encodeURIComponent(question)}/events?after=${seen}`;
      const response = await send(path, signal === undefined ? {} : { signal });
      if (!response.ok) throw await ApiProblem.of(response);
      const isAlive = () => {
        failed = 0;
      };
      for await (const { name, data } of messagesOf(response, isAlive)) {
        if (name === "end") return;
        const event = JSON.parse(data) as QuestionEvent;
        if (event.seq <= seen) continue;
        seen = event.seq;
        yield event;
      }
    } catch (error) {
      if (signal?.aborted || !isOutage(error) || failed >= PAUSES.length) throw error;
    }
    await pause(PAUSES[failed] ?? LONGEST_PAUSE_MS, signal);
  }
}

/** The messages of an event stream. Comments, which keep the connection open, are only told to `isAlive`. */
async function* messagesOf(response: Response, isAlive: () => void) {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    isAlive();
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = block.split("\n").map((line) => /^(\w+): ?(.*)$/s.exec(line) ?? []);
      const field = (name: string) => fields.find(([, own]) => own === name)?.[2];
      const data = field("data");
      if (data !== undefined) yield { name: field("event"), data };
    }
  }
}
