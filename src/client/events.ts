import { isOutage, pause, pauseMs } from "./outage.ts";
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

/** How often in a row a stream may fail: with the pauses, for a minute, in which a service is started again. */
const TRIES = 7;
/** Milliseconds of a stream with comments only that show that the service is there, whatever cuts its connections. */
const STEADY_MS = 5_000;

type Send = (path: string, init: RequestInit) => Promise<Response>;

/**
 * The events of a question in order, each once, until it ends. A stream that is cut is opened again, for a minute if
 * nothing new comes.
 */
export async function* readEvents(
  send: Send,
  question: string,
  { after = 0, signal }: { after?: number; signal?: AbortSignal } = {},
): AsyncGenerator<QuestionEvent, void, undefined> {
  let seen = after;
  let failed = 0;
  for (;;) {
    let firstChunk: number | undefined;
    const onChunk = () => {
      firstChunk ??= performance.now();
    };
    try {
      const path = `/api/v1/questions/${encodeURIComponent(question)}/events?after=${seen}`;
      const response = await send(path, signal === undefined ? {} : { signal });
      if (!response.ok) throw await ApiProblem.of(response);
      await checkType(response);
      for await (const { name, data } of messagesOf(response, onChunk)) {
        if (name === "end") return;
        const event = JSON.parse(data) as QuestionEvent;
        if (event.seq <= seen) continue;
        seen = event.seq;
        failed = 0;
        yield event;
      }
      throw new Error(
        `The service closed the event stream of the question ${question} before the question ended. Read its log.`,
      );
    } catch (error) {
      if (firstChunk !== undefined && performance.now() - firstChunk >= STEADY_MS) failed = 0;
      if (signal?.aborted || !isOutage(error) || ++failed >= TRIES) throw error;
    }
    await pause(pauseMs(failed), signal);
  }
}

/** Throws `ApiProblem` for a page, such as the login of a proxy, which would look like a stream without events. */
async function checkType(response: Response): Promise<void> {
  const type = response.headers.get("content-type");
  if (/^text\/event-stream\b/i.test(type ?? "")) return;
  await response.body?.cancel();
  const detail = `Cannot read events: the response has the type ${type ?? "(none)"} instead of text/event-stream. Check the address of the service, and whether a proxy before it requires a login.`;
  throw new ApiProblem({
    type: "about:blank",
    title: "Not an event stream",
    status: response.status,
    detail,
    instance: "",
    kind: "unknown",
  });
}

/** The messages of an event stream. Comments, which keep the connection open, are only told to `onChunk`. */
async function* messagesOf(response: Response, onChunk: () => void) {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    onChunk();
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
