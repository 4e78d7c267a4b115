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

type Send = (path: string, init: RequestInit) => Promise<Response>;

/** Milliseconds before a broken stream is opened again. */
const PAUSES = [250, 1000, 4000];

/** The events of a question in order, each once, until it ends. */
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
      for await (const { name, data } of messagesOf(response)) {
        if (name === "end") return;
        const event = JSON.parse(data) as QuestionEvent;
        if (event.seq <= seen) continue;
        seen = event.seq;
        failed = 0;
        yield event;
      }
    } catch (error) {
      if (signal?.aborted || error instanceof ApiProblem || failed >= PAUSES.length) throw error;
    }
    await new Promise((done) => setTimeout(done, PAUSES[Math.min(failed, PAUSES.length - 1)]));
    signal?.throwIfAborted();
  }
}

/** The messages of an event stream. Comments, which keep the connection open, are left out. */
async function* messagesOf(response: Response) {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = block.split("\n").map((line) => /^(\w+): ?(.*)$/.exec(line) ?? []);
      const field = (name: string) => fields.find(([, own]) => own === name)?.[2];
      const data = field("data");
      if (data !== undefined) yield { name: field("event"), data };
    }
  }
}
