import { stat } from "node:fs/promises";
import { openVideo } from "../../../../tools/video/video.ts";
import type { Caller } from "../auth.ts";
import { httpProblem, notFound } from "../problems.ts";
import * as routes from "../routes.ts";
import { fileReader, sendMedia } from "../send-media.ts";
import type { App, ServiceContext } from "../service-context.ts";

export function addHumanStudy(app: App, { humanStudy, store }: ServiceContext): void {
  function study() {
    if (humanStudy !== null) return humanStudy;
    throw httpProblem(
      404,
      "no-study",
      "There is no human study here. The operator starts one with `video-rrd serve --human-study FOLDER`.",
    );
  }

  function raterOf({ owner }: Caller, given: string | undefined): string {
    if (owner !== "") {
      if (given === undefined || given === owner) return owner;
      throw httpProblem(422, "wrong-rater", "With keys, the rater is the name of the key.");
    }
    const { raters } = study();
    if (given !== undefined) return given;
    throw httpProblem(
      422,
      "wrong-rater",
      `Name the rater with \`rater\`: ${raters.slice(0, 20).join(", ")}.`,
    );
  }

  app.openapi(routes.studyNext, (c) => {
    const given = c.req.valid("query").rater;
    const rater = raterOf(c.get("caller"), given);
    const item = study().next(rater);
    const query = given === undefined ? "" : `?rater=${encodeURIComponent(given)}`;
    const media = `/api/v1/human-study/items/${item?.id}/media${query}`;
    const next = item === null ? null : { ...item, media };
    return c.json({ ...study().progressOf(rater), item: next }, 200);
  });

  app.openapi(routes.studyAnswer, async (c) => {
    const { rater, ...given } = c.req.valid("json");
    return c.json(await study().answer(raterOf(c.get("caller"), rater), given), 201);
  });

  app.openapi(routes.studyMedia, async (c) => {
    const rater = raterOf(c.get("caller"), c.req.valid("query").rater);
    const path = study().videoPath(rater, c.req.valid("param").item);
    // Data files name any path: only a video is sent.
    const { probe } = await openVideo(path, { store, run: "service" }).catch(() => {
      throw notFound("a video");
    });
    const { size } = await stat(path);
    return sendMedia(c, { size, container: probe.container, read: fileReader(path) });
  });
}
