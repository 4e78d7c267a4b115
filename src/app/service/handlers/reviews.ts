import type { RatingFilter } from "../../../core/ratings.ts";
import type { NewReview } from "../api.ts";
import { type NewRating, toRatingView } from "../api-reviews.ts";
import type { Caller } from "../auth.ts";
import { httpProblem } from "../problems.ts";
import { type StoredQuestion, toQuestionView } from "../question-record.ts";
import { addRating, undoRating } from "../ratings.ts";
import { createReviewLeases, NO_NAME } from "../review-leases.ts";
import { scopeOwner } from "../roles.ts";
import * as routes from "../routes.ts";
import {
  type App,
  ratedQuestion,
  readableQuestion,
  type ServiceContext,
  videoView,
} from "../service-context.ts";

/** Questions that are looked at to find one that no other rater has in review. */
const LOOK_AHEAD = 50;

export function addReviews(app: App, context: ServiceContext): void {
  const { store, options, questions, inTurn } = context;
  const rules = options.reviews;
  const leases = createReviewLeases(store.replicas?.reviews);

  async function listOf(question: StoredQuestion) {
    const items = (await store.service.ratingsOf(question.id)).map(toRatingView);
    return { question: toQuestionView(question), items };
  }

  app.openapi(routes.nextReview, async (c) => {
    const caller = c.get("caller");
    const { of, scope, after, video, since, until, ...query } = c.req.valid("query");
    const rater = raterOf(caller, query.rater);
    const filter: RatingFilter = {
      owner: scopeOwner(caller, scope),
      upload: video,
      strategy: query.strategy,
      model: query.model,
      since: since === undefined ? undefined : Date.parse(since),
      until: until === undefined ? undefined : Date.parse(until),
    };
    const queue = { of, rater, raters: rules.raters, after, limit: LOOK_AHEAD };
    const rows = await store.service.ratingQueue(filter, queue);
    const progress = {
      ...(await store.service.ratingProgress(filter, rater)),
      raters: rules.raters,
    };
    // Whoever settles a conflict sees what the others said.
    const blind = of === "open" && (rules.blind || query.blind);
    for (const question of questions.list(rows)) {
      const free = of === "conflict" ? 1 : rules.raters - (question.record.ratings ?? 0);
      const upload = await store.service.upload(question.upload);
      if (upload === undefined) continue;
      if (!(await leases.take(question.id, rater, blind, free))) continue;
      const view = toQuestionView(question);
      const ratings = blind ? [] : (await store.service.ratingsOf(question.id)).map(toRatingView);
      const about = await store.service.aboutUpload(upload.id);
      const item = {
        id: question.id,
        asked: view.asked,
        video: videoView({ row: upload, ...about }),
        clips: view.clips,
        ...{ blind, ratings, question: blind ? null : view },
      };
      return c.json({ item, progress }, 200);
    }
    return c.json({ item: null, progress }, 200);
  });

  app.openapi(routes.ratings, async (c) => {
    const question = await readableQuestion(context, c.get("caller"), c.req.valid("param").id);
    return c.json(await listOf(question), 200);
  });

  app.openapi(routes.rate, async (c) => {
    const caller = c.get("caller");
    const { id } = c.req.valid("param");
    const given = c.req.valid("json");
    const rater = raterOf(caller, given.rater);
    return inTurn(id, async () => {
      const question = await ratedQuestion(context, caller, id);
      const review = reviewOf(question, given);
      const lease = await leases.find(id, rater);
      await addRating(
        store.service,
        question,
        review,
        {
          name: rater,
          seconds: given.seconds ?? lease?.seconds ?? null,
          blind: lease?.blind ?? false,
        },
        rules,
      );
      // Only now: a review that was refused is sent again, corrected, and is as blind as before.
      await leases.end(id, rater).catch(() => {}); // it ends by itself
      return c.json(await listOf(question), 201);
    });
  });

  app.openapi(routes.undoRating, async (c) => {
    const caller = c.get("caller");
    const { id, rating } = c.req.valid("param");
    const rater = raterOf(caller, c.req.valid("query").rater);
    return inTurn(id, async () => {
      const question = await ratedQuestion(context, caller, id);
      await undoRating(store.service, question, rating, rater, rules);
      return c.json(await listOf(question), 200);
    });
  });
}

/** The name under which a caller reviews. Throws a 422 problem if a key gives another name. */
function raterOf({ name, owner }: Caller, given: string | undefined): string {
  if (owner === "") return given ?? name ?? NO_NAME;
  if (given === undefined || given === owner) return owner;
  throw httpProblem(
    422,
    "wrong-rater",
    "Invalid rater: with keys, the rater is the name of the key. Leave `rater` out.",
  );
}

/** The review that a rating contains; without a verdict, the answer decides. */
function reviewOf({ record }: StoredQuestion, { verdict, answer, note }: NewRating): NewReview {
  const more = note === undefined ? {} : { note };
  if (verdict !== undefined)
    return { verdict, ...(answer === undefined ? {} : { answer }), ...more };
  if (answer === undefined)
    throw httpProblem(422, "wrong-answer", "Give a `verdict`, or your own `answer`.");
  const isSame = String(answer).toUpperCase() === String(record.answer?.answer ?? "").toUpperCase();
  return isSame ? { verdict: "approved", ...more } : { verdict: "corrected", answer, ...more };
}
