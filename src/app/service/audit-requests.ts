import type { NewAuditEntry } from "../../core/audit.ts";
import type { Ctx, ServiceContext } from "./service-context.ts";

/** What a request does, by method and path. `:video`, `:question` and `:evidence` are ids. */
const ACTIONS: readonly (readonly [string, string, string])[] = [
  ["POST", "/videos", "video.uploaded"],
  ["POST", "/videos/from-url", "video.uploaded"],
  ["POST", "/videos/bulk-delete", "video.deleted"],
  ["PATCH", "/uploads/:video", "video.uploaded"],
  ["POST", "/uploads", "upload.started"],
  ["DELETE", "/uploads/:video", "upload.cancelled"],
  ["PATCH", "/videos/:video", "video.edited"],
  ["DELETE", "/videos/:video", "video.deleted"],
  ["PUT", "/videos/:video/subtitles", "subtitles.added"],
  ["DELETE", "/videos/:video/subtitles", "subtitles.removed"],
  ["POST", "/videos/:video/questions", "question.asked"],
  ["POST", "/questions/:question/reason-again", "question.asked"],
  ["POST", "/questions/:question/cancel", "question.cancelled"],
  ["DELETE", "/questions/:question", "question.deleted"],
  ["GET", "/questions/:question/export", "question.exported"],
  ["POST", "/questions/:question/evidence", "evidence.added"],
  ["PATCH", "/questions/:question/evidence/:evidence", "evidence.corrected"],
  ["DELETE", "/questions/:question/evidence/:evidence", "evidence.rejected"],
  ["PUT", "/questions/:question/review", "answer.reviewed"],
  ["POST", "/questions/:question/ratings", "answer.rated"],
  ["DELETE", "/questions/:question/ratings/:rating", "rating.undone"],
  ["POST", "/questions/bulk", "questions.asked"],
  ["POST", "/human-study/answers", "study.answered"],
  ["GET", "/export", "questions.exported"],
  ["POST", "/keys", "key.added"],
  ["DELETE", "/keys/:key", "key.removed"],
];
const BASE = "/api/v1";
const PATTERNS = ACTIONS.map(([method, path, action]) => ({
  method,
  action,
  pattern: new RegExp(`^${BASE}${path.replace(/:(\w+)/g, "(?<$1>[\\w.@-]+)")}$`),
}));
/** Requests that change no data: signing in and out, estimates. */
const UNLOGGED = /^\/api\/v1\/(?:session|videos\/[\w-]+\/estimate)$/;
/** Actions whose entry names what the response shows. */
const NAMED_BY_RESPONSE = new Set([
  "video.uploaded",
  "video.deleted",
  "video.edited",
  "question.asked",
  "questions.asked",
  "answer.reviewed",
  "key.added",
]);
const READING = new Set(["GET", "HEAD", "OPTIONS"]);

/** The members of a response by which an entry names what was made. */
interface Made {
  id?: unknown;
  video?: unknown;
  name?: unknown;
  tags?: unknown;
  review?: { verdict?: unknown } | null;
  deleted?: unknown;
  items?: unknown;
  roles?: unknown;
}

/**
 * Writes every successful change, and every export, to the audit log, before the response is sent. A change that has no
 * name of its own is logged by its method and path.
 */
export function auditRequests({ store, log }: ServiceContext) {
  async function nameOf(video: string | null): Promise<string | null> {
    return video === null ? null : ((await store.service.upload(video))?.name ?? null);
  }

  async function videoOf(question: string | undefined): Promise<string | null> {
    return question === undefined
      ? null
      : ((await store.service.question(question))?.upload ?? null);
  }

  return async (c: Ctx, next: () => Promise<void>) => {
    const found = actionOf(c.req.method, c.req.path);
    if (found === null) return next();
    const { action, ids } = found;
    const video = ids.video ?? (await videoOf(ids.question));
    const name = await nameOf(video);
    const names = action === "video.deleted" && video === null ? await namesOf(c, nameOf) : null;
    await next();
    if (c.res.status >= 300) return;
    const caller = c.get("caller");
    const made = NAMED_BY_RESPONSE.has(action) ? await madeBy(c.res) : {};
    const entry = { at: Date.now(), who: caller.name ?? "", address: c.get("client").address };
    const entries: NewAuditEntry[] = [];
    if (names !== null) {
      for (const id of idsIn(made.deleted))
        entries.push({ ...entry, action, video: id, name: names.get(id) ?? null });
    } else if (action === "questions.asked") {
      for (const id of askedIn(made.items)) {
        const of = await videoOf(id);
        const about = { video: of, name: await nameOf(of), question: id };
        entries.push({ ...entry, action: "question.asked", ...about });
      }
    } else if (action === "video.uploaded") {
      const whole = c.req.method === "PATCH" ? (made.video as Made | null) : made;
      const id = textOf(whole?.id);
      if (id !== null) entries.push({ ...entry, action, video: id, name: textOf(whole?.name) });
    } else {
      const asked = action === "question.asked" ? textOf(made.id) : null;
      entries.push({
        ...{ ...entry, action, video, name },
        question: asked ?? ids.question ?? null,
        evidence: ids.evidence ?? null,
        details: detailsOf(action, made, ids, c),
      });
    }
    for (const one of entries)
      await store.audit.append(one).catch((error: unknown) => {
        log.error({ err: error, ...one }, "cannot write to the audit log");
      });
  };
}

type Ids = Partial<Record<"video" | "question" | "evidence" | "rating" | "key", string>>;

function actionOf(method: string, path: string): { action: string; ids: Ids } | null {
  for (const one of PATTERNS) {
    const match = one.method === method ? one.pattern.exec(path) : null;
    if (match !== null) return { action: one.action, ids: match.groups ?? {} };
  }
  if (READING.has(method) || !path.startsWith(`${BASE}/`) || UNLOGGED.test(path)) return null;
  return { action: `${method} ${path.slice(BASE.length)}`.slice(0, 200), ids: {} };
}

/** Names of videos that a bulk request is about to delete, by id. */
async function namesOf(c: Ctx, nameOf: (id: string) => Promise<string | null>) {
  const body: unknown = await c.req.json().catch(() => null);
  const ids = idsIn((body as { ids?: unknown } | null)?.ids);
  const names = new Map<string, string | null>();
  for (const id of ids) names.set(id, await nameOf(id));
  return names;
}

function idsIn(given: unknown): string[] {
  return Array.isArray(given)
    ? given.filter((id): id is string => typeof id === "string").slice(0, 1000)
    : [];
}

function askedIn(items: unknown): string[] {
  return Array.isArray(items) ? idsIn(items.map((item: { id?: unknown } | null) => item?.id)) : [];
}

async function madeBy(response: Response): Promise<Made> {
  if (!/^application\/json/.test(response.headers.get("content-type") ?? "")) return {};
  const made: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return typeof made === "object" && made !== null ? made : {};
}

function detailsOf(action: string, made: Made, ids: Ids, c: Ctx): Record<string, unknown> {
  if (action === "key.added") return { name: made.name, roles: made.roles };
  if (action === "key.removed") return { name: ids.key };
  if (action === "video.edited") return { name: made.name, tags: made.tags };
  if (action === "answer.reviewed") return { verdict: made.review?.verdict };
  if (action === "rating.undone") return { rating: ids.rating };
  if (action.endsWith(".exported")) return { as: c.req.query("as") };
  if (c.req.path.endsWith("/reason-again")) return { from: ids.question };
  return {};
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
