import { createHash } from "node:crypto";
import { expect } from "vitest";
import type {
  EvidenceList,
  QuestionView,
  UploadView,
  VideoView,
} from "../../../src/app/service/api.ts";
import type { client } from "../../app/service/rig.ts";
import { withOtherBytes } from "../attack/files.ts";

type Api = ReturnType<typeof client>;

/** The acknowledged state of a question. */
interface AskedFacts {
  video: string;
  text: string;
  answer: unknown;
  /** Texts of evidence that were added and not removed. */
  added: Map<string, string>;
  note: string | null;
}

interface VideoFacts {
  bytes: Uint8Array<ArrayBuffer>;
  /** Whether its removal was requested but not acknowledged. */
  leaving: boolean;
}

const OPTIONS = ["Rain", "Snow", "Hail"];
/** Most videos at a time. */
const MOST_VIDEOS = 8;
const sha = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Random requests to a service that may be killed at any moment, and what it acknowledged. */
export function createJournal(mp4: Uint8Array, random: () => number) {
  const videos = new Map<string, VideoFacts>();
  const parts = new Map<string, { bytes: Uint8Array<ArrayBuffer>; offset: number }>();
  const questions = new Map<string, AskedFacts>();
  /** Bytes of unacknowledged uploads, by name. */
  const sent = new Map<string, Uint8Array<ArrayBuffer>>();
  const removed = new Set<string>();
  /** Subjects of requests in flight. */
  const busy = new Set<string>();
  const acknowledged: Record<string, number> = {};
  let count = 0;

  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const acknowledge = (what: string) => {
    acknowledged[what] = (acknowledged[what] ?? 0) + 1;
  };
  const free = (ids: Iterable<string>) => [...ids].filter((id) => !busy.has(id));
  const questionsOf = (video: string) => [...questions].filter(([, one]) => one.video === video);

  function newBytes(): { name: string; bytes: Uint8Array<ArrayBuffer> } {
    const again = random() < 0.2 ? pick([...videos.values()]) : undefined;
    const one = { name: `video ${++count}`, bytes: again?.bytes ?? withOtherBytes(mp4) };
    sent.set(one.name, one.bytes);
    return one;
  }

  /** The acknowledgement in a response; null for a refusal, which must not be a server error. */
  async function answerOf<T>(response: Response): Promise<T | null> {
    const text = await response.text();
    expect([response.status >= 500, response.status >= 500 ? text : ""]).toEqual([false, ""]);
    return response.ok ? ((text === "" ? {} : JSON.parse(text)) as T) : null;
  }

  const OPERATIONS: Record<string, (api: Api) => Promise<void>> = {
    async upload(api) {
      const { name, bytes } = newBytes();
      const headers = { "x-file-name": encodeURIComponent(name) };
      const url = `${api.url}/api/v1/videos`;
      const made = await answerOf<VideoView>(
        await fetch(url, { method: "POST", headers, body: bytes }),
      );
      if (made === null) return;
      acknowledge("upload");
      videos.set(made.id, { bytes, leaving: false });
    },
    async begin(api) {
      const { name, bytes } = newBytes();
      const asked = await api.send("POST", "/api/v1/uploads", { name, size: bytes.length });
      const begun = await answerOf<UploadView>(asked);
      if (begun !== null) parts.set(begun.id, { bytes, offset: 0 });
    },
    async continue(api) {
      const id = pick(free(parts.keys()));
      const one = parts.get(id ?? "");
      if (id === undefined || one === undefined) return;
      await alone([id], async () => {
        const { bytes, offset } = one;
        const end = Math.min(bytes.length, offset + Math.ceil(random() * bytes.length));
        const range = `bytes ${offset}-${end - 1}/${bytes.length}`;
        const response = await fetch(`${api.url}/api/v1/uploads/${id}`, {
          method: "PATCH",
          headers: { "content-range": range, "content-type": "application/octet-stream" },
          body: bytes.subarray(offset, end),
        });
        const now = await answerOf<UploadView>(response);
        if (now === null) return;
        acknowledge("part");
        one.offset = now.offset;
        if (now.video === null) return;
        parts.delete(id);
        videos.set(now.video.id, { bytes, leaving: false });
      });
    },
    async ask(api) {
      const video = pick(free(videos.keys()));
      if (video === undefined || questionsOf(video).length > 4) return;
      const text = `What falls? (${++count})`;
      await alone([video], async () => {
        const path = `/api/v1/videos/${video}/questions`;
        const asked = await answerOf<QuestionView>(
          await api.send("POST", path, { text, options: OPTIONS }),
        );
        if (asked === null) return;
        acknowledge("question");
        questions.set(asked.id, { video, text, answer: null, added: new Map(), note: null });
      });
    },
    async read(api) {
      const id = pick([...questions.keys()]);
      const facts = questions.get(id ?? "");
      if (facts === undefined) return;
      const view = await answerOf<QuestionView>(await api.send("GET", `/api/v1/questions/${id}`));
      if (view?.state !== "answered" || facts.answer !== null) return;
      acknowledge("answer");
      facts.answer = view.answer?.answer ?? null;
    },
    async add(api) {
      const [id, facts] = editable();
      if (id === undefined || facts === undefined) return;
      await alone([id, facts.video], async () => {
        const text = `It rains. (${++count})`;
        const item = { kind: "caption", start_s: 0, end_s: 1, text };
        const made = await answerOf<EvidenceList>(
          await api.send("POST", `/api/v1/questions/${id}/evidence`, item),
        );
        const added = made?.items.find((one) => one.text === text);
        if (added === undefined) return;
        acknowledge("edit");
        facts.added.set(added.id, text);
      });
    },
    async reject(api) {
      const [id, facts] = editable();
      const item = pick([...(facts?.added.keys() ?? [])]);
      if (id === undefined || facts === undefined || item === undefined) return;
      await alone([id, facts.video], async () => {
        const text = facts.added.get(item);
        // From here on it may or may not exist.
        facts.added.delete(item);
        const done = await answerOf<EvidenceList>(
          await api.send("DELETE", `/api/v1/questions/${id}/evidence/${item}`),
        );
        if (done === null) return;
        acknowledge("rejection");
        expect(done.items.map((one) => one.text)).not.toContain(text);
      });
    },
    async review(api) {
      const [id, facts] = editable();
      if (id === undefined || facts === undefined) return;
      await alone([id, facts.video], async () => {
        const note = `looked at (${++count})`;
        facts.note = null;
        const done = await answerOf<QuestionView>(
          await api.send("PUT", `/api/v1/questions/${id}/review`, { verdict: "approved", note }),
        );
        if (done === null) return;
        acknowledge("review");
        facts.note = note;
      });
    },
    async remove(api) {
      const id = pick(free(videos.keys()));
      const facts = videos.get(id ?? "");
      if (id === undefined || facts === undefined || videos.size < MOST_VIDEOS / 2) return;
      await alone([id], async () => {
        facts.leaving = true;
        if ((await answerOf(await api.send("DELETE", `/api/v1/videos/${id}`))) === null) return;
        acknowledge("removal");
        forget(id);
      });
    },
  };

  function editable(): [string, AskedFacts] | [] {
    const answered = [...questions].filter(
      ([id, { answer, video }]) => answer !== null && !busy.has(id) && !busy.has(video),
    );
    return pick(answered) ?? [];
  }

  async function alone(ids: string[], work: () => Promise<void>): Promise<void> {
    for (const id of ids) busy.add(id);
    try {
      await work();
    } finally {
      for (const id of ids) busy.delete(id);
    }
  }

  function forget(video: string): void {
    videos.delete(video);
    removed.add(video);
    for (const [id] of questionsOf(video)) questions.delete(id);
  }

  function next(): string {
    if (videos.size < 2) return "upload";
    if (videos.size > MOST_VIDEOS) return "remove";
    const names = ["upload", "begin", "continue", "continue", "ask", "ask", "read", "read"];
    return pick([...names, "add", "add", "reject", "review", "remove"]) ?? "upload";
  }

  return {
    acknowledged,
    total: () => Object.values(acknowledged).reduce((sum, number) => sum + number, 0),
    /** Sends random requests, one after another, until the service has ended. */
    async work(api: Api, isOver: () => boolean): Promise<void> {
      while (!isOver())
        try {
          await OPERATIONS[next()]?.(api);
        } catch (error) {
          // The connection broke with the process; nothing was acknowledged.
          if (!(error instanceof TypeError) && !isOver()) throw error;
        }
    },
    /** Checks that all acknowledged state is still there, and reads the state of unacknowledged requests. */
    async check(api: Api): Promise<void> {
      const listed = await api.videos();
      const there = new Set(listed.map(({ id }) => id));
      for (const id of removed) expect([id, there.has(id)]).toEqual([id, false]);
      for (const [id, { leaving }] of [...videos]) {
        if (leaving && !there.has(id)) forget(id);
        else expect([id, there.has(id)]).toEqual([id, true]);
      }
      for (const { id, name } of listed) {
        const bytes = videos.get(id)?.bytes ?? sent.get(name);
        const media = await fetch(`${api.url}/api/v1/videos/${id}/media`);
        const got = sha(new Uint8Array(await media.arrayBuffer()));
        expect([id, got]).toEqual([id, sha(bytes ?? new Uint8Array())]);
        videos.set(id, { bytes: bytes ?? new Uint8Array(), leaving: false });
      }
      for (const [id, one] of [...parts]) {
        if (there.has(id)) parts.delete(id);
        else {
          const { offset } = await api.json<UploadView>(200, "GET", `/api/v1/uploads/${id}`);
          expect(offset).toBeGreaterThanOrEqual(one.offset);
          one.offset = offset;
        }
      }
      for (const [id, facts] of questions) await checkQuestion(api, id, facts);
    },
    /** Waits until no question waits or runs, and every complete upload has become a video. */
    async settle(api: Api): Promise<void> {
      for (const [id, { bytes, offset }] of [...parts]) {
        if (offset < bytes.length) continue;
        const status = async () => (await api.send("GET", `/api/v1/videos/${id}`)).status;
        await expect.poll(status, { timeout: 120_000 }).toBe(200);
        parts.delete(id);
        videos.set(id, { bytes, leaving: false });
      }
      for (const video of videos.keys()) {
        for (const { id } of await api.questions(video))
          expect((await api.ended(id)).state).toBe("answered");
      }
    },
  };

  async function checkQuestion(api: Api, id: string, facts: AskedFacts): Promise<void> {
    const view = await api.json<QuestionView>(200, "GET", `/api/v1/questions/${id}`);
    expect([view.video, view.asked.text]).toEqual([facts.video, facts.text]);
    if (facts.answer !== null)
      expect([id, view.state, view.answer?.answer]).toEqual([id, "answered", facts.answer]);
    if (facts.note !== null) expect([id, view.review?.note]).toEqual([id, facts.note]);
    if (facts.added.size === 0) return;
    const { items } = await api.evidence(id);
    expect(items.map(({ text }) => text)).toEqual(
      expect.arrayContaining([...facts.added.values()]),
    );
  }
}
