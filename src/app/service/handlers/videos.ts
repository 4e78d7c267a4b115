import { sampleFrames } from "../../../../tools/video/frames.ts";
import { thumbnail } from "../../../../tools/video/thumbnail.ts";
import { openVideo } from "../../../../tools/video/video.ts";
import type { UploadRow } from "../../../core/contracts.ts";
import { isFailure } from "../../../core/errors.ts";
import type { UploadView, VideoView } from "../api.ts";
import { parseContentRange } from "../byte-ranges.ts";
import { estimateQuestion } from "../estimate-question.ts";
import { discard, fetchVideo } from "../fetch-video.ts";
import { readPage, toList } from "../list-pages.ts";
import { checkMatchIfGiven, etag, jsonVersion } from "../preconditions.ts";
import { httpProblem, notFound } from "../problems.ts";
import * as routes from "../routes.ts";
import { sendMedia } from "../send-media.ts";
import {
  type App,
  type Ctx,
  locationOf,
  mayRead,
  ownUpload,
  ownVideo,
  readableVideo,
  type ServiceContext,
  videoView,
} from "../service-context.ts";
import { dropSubtitles, putSubtitles, subtitlesOf } from "../subtitle-files.ts";

const THUMBNAIL_WIDTH = 320;
/** Thumbnails are stored: the step bounds their number. */
const THUMBNAIL_STEP_S = 0.5;

export function addVideos(app: App, context: ServiceContext): void {
  const { store, uploads, questions, options, quota, inTurn } = context;

  const uploadView = async (row: UploadRow, offset?: number): Promise<UploadView> => ({
    id: row.id,
    offset: offset ?? (await uploads.arrived(row)),
    size: row.size,
    video: row.video === null ? null : await toView(row),
  });
  const toView = async (row: UploadRow) =>
    videoView({ row, ...(await store.service.aboutUpload(row.id)) });

  /** The library finds none of the cues that are gone. */
  async function changeSubtitles<T>(row: UploadRow, change: () => Promise<T>): Promise<T> {
    // Also before: if the process is killed in between, the next one finds the mark.
    await store.library.markStale(row.id);
    const result = await change();
    await uploads.settleSubtitles(row);
    await store.library.markStale(row.id);
    return result;
  }

  app.openapi(routes.startUpload, async (c) => {
    const { name, size } = c.req.valid("json");
    const row = await uploads.begin(c.get("caller"), name, size, c.get("made"));
    return c.json(await uploadView(row, 0), 201, locationOf("uploads", row.id));
  });

  app.openapi(routes.upload, async (c) => {
    const row = await ownUpload(context, c.get("caller"), c.req.valid("param").id);
    return c.json(await uploadView(row), 200);
  });

  app.openapi(routes.continueUpload, async (c) => {
    const row = await ownUpload(context, c.get("caller"), c.req.valid("param").id);
    const span = parseContentRange(c.req.valid("header")["content-range"]);
    const { incoming } = c.env;
    const took = await uploads.append(c.get("caller"), row.id, span, announcedOf(c), incoming);
    return c.json(await uploadView(took.row, took.offset), 200);
  });

  app.openapi(routes.dropUpload, async (c) => {
    const row = await ownUpload(context, c.get("caller"), c.req.valid("param").id);
    await uploads.cancel(row.id);
    return c.body(null, 204);
  });

  app.openapi(routes.postVideo, async (c) => {
    const name = nameIn(c.req.valid("header")["x-file-name"]);
    const row = await uploads.uploadOnce(
      c.get("caller"),
      name,
      announcedOf(c),
      c.env.incoming,
      c.get("made"),
    );
    return c.json(await toView(row), 201, locationOf("videos", row.id));
  });

  app.openapi(routes.fetchVideo, async (c) => {
    const { url, name } = c.req.valid("json");
    const file = await fetchVideo(url, options.hosts);
    const given = name ?? file.name;
    try {
      const row = await uploads.uploadOnce(
        c.get("caller"),
        given,
        file.size,
        file.body,
        c.get("made"),
      );
      return c.json(await toView(row), 201, locationOf("videos", row.id));
    } finally {
      discard(file.body);
    }
  });

  app.openapi(routes.listVideos, async (c) => {
    const query = c.req.valid("query");
    const filter = { owner: c.get("caller").owner, q: query.q, tag: query.tag };
    const page = await store.service.listUploads(filter, query.sort, readPage(query));
    const there = await Promise.all(page.rows.map(({ row }) => uploads.fileExists(row)));
    const rows = page.rows.filter((_row, index) => there[index]);
    return c.json(toList(query, { ...page, rows }, videoView), 200);
  });

  app.openapi(routes.listTags, async (c) => {
    const items = await store.service.tagsOf(c.get("caller").owner);
    return c.json({ items, next: null, total: items.length }, 200);
  });

  app.openapi(routes.editVideo, async (c) => {
    const caller = c.get("caller");
    const { id } = c.req.valid("param");
    return inTurn(`video ${id}`, async () => {
      const view = async () => toView(await ownVideo(context, caller, id));
      const before = await view();
      await checkMatchIfGiven(c, versionOf(before), async () => before);
      await store.service.editUpload(id, c.req.valid("json"));
      const edited = await view();
      return c.json(edited, 200, etag(versionOf(edited)));
    });
  });

  app.openapi(routes.bulkDelete, async (c) => {
    const caller = c.get("caller");
    const ids = [...new Set(c.req.valid("json").ids)];
    const deleted: string[] = [];
    for (const id of ids) {
      const row = await store.service.upload(id);
      if (row?.video == null || row.owner !== caller.owner) continue;
      await questions.removeUpload(id, () => uploads.remove(row));
      deleted.push(id);
    }
    return c.json({ deleted, missing: ids.filter((id) => !deleted.includes(id)) }, 200);
  });

  app.openapi(routes.video, async (c) => {
    const row = await readableVideo(context, c.get("caller"), c.req.valid("param").id);
    return c.json(await toView(row), 200);
  });

  app.openapi(routes.deleteVideo, async (c) => {
    const { id } = c.req.valid("param");
    return inTurn(`video ${id}`, async () => {
      const row = await ownVideo(context, c.get("caller"), id);
      const view = await toView(row);
      await checkMatchIfGiven(c, versionOf(view), async () => view);
      await questions.removeUpload(id, () => uploads.remove(row));
      return c.body(null, 204);
    });
  });

  app.openapi(routes.estimate, async (c) => {
    const caller = c.get("caller");
    const row = await ownVideo(context, caller, c.req.valid("param").id);
    return c.json(await estimateQuestion(context, caller, row, c.req.valid("json")), 200);
  });

  app.openapi(routes.putSubtitles, async (c) => {
    const caller = c.get("caller");
    const row = await ownVideo(context, caller, c.req.valid("param").id);
    await quota.checkDerived(caller);
    const name = nameIn(c.req.valid("header")["x-file-name"]);
    const file = new Uint8Array(await c.req.arrayBuffer());
    const path = await uploads.pathOf(row);
    return c.json(await changeSubtitles(row, () => putSubtitles(path, name, file)), 200);
  });

  app.openapi(routes.subtitles, async (c) => {
    const row = await readableVideo(context, c.get("caller"), c.req.valid("param").id);
    return c.json(await subtitlesOf(await uploads.pathOf(row)), 200);
  });

  app.openapi(routes.dropSubtitles, async (c) => {
    const row = await ownVideo(context, c.get("caller"), c.req.valid("param").id);
    const path = await uploads.pathOf(row);
    if (!(await changeSubtitles(row, () => dropSubtitles(path)))) throw notFound("a subtitle file");
    return c.body(null, 204);
  });

  app.openapi(routes.media, async (c) => {
    const row = await readableVideo(context, c.get("caller"), c.req.valid("param").id);
    const { size, video } = row;
    const read = (first: number, last: number) => uploads.read(row, first, last);
    return sendMedia(c, { size, container: video.container, read });
  });

  app.openapi(routes.thumbnail, async (c) => {
    const row = await readableVideo(context, c.get("caller"), c.req.valid("param").id);
    const { t_s } = c.req.valid("query");
    if (row.video.width === null) throw notFound("a video stream");
    const work = { store, run: "service", signal: c.req.raw.signal };
    const video = await openVideo(await uploads.pathOf(row), work);
    const nearest = Math.round(t_s / THUMBNAIL_STEP_S) * THUMBNAIL_STEP_S;
    const times_s = [Math.min(nearest, row.video.duration_s)];
    const spec = { sampler: "times", times_s, max_side: 640, max_area: null, quality: 80 } as const;
    const timeout_s = options.timeouts.thumbnail_ms / 1000;
    const [frame] = await sampleFrames(video, spec, work, { timeout_s }).catch((error: unknown) => {
      if (!isFailure(error, "media-limit")) throw error;
      const detail = `Cannot decode a thumbnail at ${nearest} s: it needs more than ${timeout_s} s, or too much memory.`;
      throw httpProblem(422, error.kind, detail);
    });
    if (frame === undefined) throw notFound("a video stream");
    return jpeg(c, await thumbnail(store, frame.hash, THUMBNAIL_WIDTH));
  });

  app.openapi(routes.frame, async (c) => {
    const { hash } = c.req.valid("param");
    const { width } = c.req.valid("query");
    const caller = c.get("caller");
    const videos = await store.blobs.owners(hash);
    const uploads = await Promise.all(videos.map((video) => store.service.uploadsOf(video)));
    if (!uploads.flat().some(({ owner }) => mayRead(caller, owner))) throw notFound("a frame");
    const bytes =
      width === undefined ? await store.blobs.read(hash) : await thumbnail(store, hash, width);
    return jpeg(c, bytes);
  });
}

/** The version of a video, as the ETag of a GET request has it. */
function versionOf(view: VideoView): string {
  return jsonVersion(JSON.stringify(view));
}

function jpeg(c: Ctx, bytes: Uint8Array) {
  return c.body(new Uint8Array(bytes), 200, {
    "Content-Type": "image/jpeg",
    "Cache-Control": "private, max-age=3600, immutable",
  });
}

/** The announced size of the body in bytes, or null. */
function announcedOf(c: Ctx): number | null {
  const given = c.req.header("content-length");
  return given === undefined ? null : Number(given);
}

function nameIn(header: string): string {
  let name: string;
  try {
    name = decodeURIComponent(header);
  } catch {
    throw httpProblem(400, "wrong-name", "Invalid X-File-Name: use percent-encoded UTF-8.");
  }
  return name.slice(0, 300);
}
