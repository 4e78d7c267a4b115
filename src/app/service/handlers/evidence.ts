import type { Correction } from "../../../core/corrections.ts";
import { editEvidence, listEvidence } from "../evidence-sets.ts";
import { evaluationRow, exportPage } from "../export-question.ts";
import { checkMatch, etag, reviewVersion } from "../preconditions.ts";
import { httpProblem, notFound } from "../problems.ts";
import { isOpen, toQuestionRow, toQuestionView, toReviewView } from "../question-record.ts";
import { addRating } from "../ratings.ts";
import * as routes from "../routes.ts";
import {
  type App,
  type Ctx,
  locationOf,
  ownQuestion,
  ownVideo,
  readableQuestion,
  readableVideo,
  type ServiceContext,
  videoView,
} from "../service-context.ts";

export function addEvidence(app: App, context: ServiceContext): void {
  const { store, questions, inTurn, options } = context;
  async function edit(c: Ctx, id: string, change: Correction) {
    const caller = c.get("caller");
    return inTurn(id, async () => {
      const question = await readableQuestion(context, caller, id);
      const upload = await readableVideo(context, caller, question.upload);
      const list = () => listEvidence(store, question, upload);
      if (question.record.set !== null) await checkMatch(c, question.record.set, list);
      const person = caller.name ?? "person";
      const { duration_s } = upload.video;
      const set = await editEvidence(store, question, change, { person, duration_s });
      question.record.set = set.id;
      if (!(await store.service.editQuestion(toQuestionRow(question))))
        throw notFound("a question");
      c.header("ETag", etag(set.id).ETag);
      return list();
    });
  }

  app.openapi(routes.evidence, async (c) => {
    const caller = c.get("caller");
    const question = await readableQuestion(context, caller, c.req.valid("param").id);
    const upload = await readableVideo(context, caller, question.upload);
    const list = await listEvidence(store, question, upload);
    return c.json(list, 200, etag(list.set));
  });

  app.openapi(routes.addEvidence, async (c) => {
    const item = c.req.valid("json");
    return c.json(await edit(c, c.req.valid("param").id, { do: "add", item }), 201);
  });

  app.openapi(routes.editEvidence, async (c) => {
    const { id, evidence } = c.req.valid("param");
    const change = c.req.valid("json");
    return c.json(await edit(c, id, { do: "change", id: evidence, change }), 200);
  });

  app.openapi(routes.rejectEvidence, async (c) => {
    const { id, evidence } = c.req.valid("param");
    return c.json(await edit(c, id, { do: "reject", id: evidence }), 200);
  });

  app.openapi(routes.reasonAgain, async (c) => {
    const caller = c.get("caller");
    const question = await ownQuestion(context, caller, c.req.valid("param").id);
    const upload = await ownVideo(context, caller, question.upload);
    const made = await questions.reasonAgain(caller, upload, question, c.get("made"));
    return c.json(toQuestionView(made), 202, locationOf("questions", made.id));
  });

  app.openapi(routes.review, async (c) => {
    const caller = c.get("caller");
    const { id } = c.req.valid("param");
    const given = c.req.valid("json");
    return inTurn(id, async () => {
      const question = await readableQuestion(context, caller, id);
      const { review } = question.record;
      await checkMatch(c, reviewVersion(review), async () =>
        review === null ? null : toReviewView(review),
      );
      const rater = { name: caller.name ?? "person", seconds: null, blind: false };
      await addRating(store.service, question, given, rater, options.reviews);
      return c.json(toQuestionView(question), 200);
    });
  });

  app.openapi(routes.exportQuestion, async (c) => {
    const caller = c.get("caller");
    const question = await readableQuestion(context, caller, c.req.valid("param").id);
    const upload = await readableVideo(context, caller, question.upload);
    const { as } = c.req.valid("query");
    const attached = (ending: string) => ({
      "Content-Disposition": `attachment; filename="${question.id}.${ending}"`,
    });
    if (as === "row") return c.json(evaluationRow(upload, question), 200, attached("json"));
    if (as === "html") {
      const policy =
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";
      const headers = { ...attached("html"), "Content-Security-Policy": policy };
      return c.html(await exportPage(store, upload, question), 200, headers);
    }
    if (isOpen(question.record))
      throw httpProblem(409, "not-answered", "The question has not ended yet. Wait for it to end.");
    const evidence =
      question.record.answer === null ? null : await listEvidence(store, question, upload);
    const all = {
      video: videoView({ row: upload, ...(await store.service.aboutUpload(upload.id)) }),
      question: toQuestionView(question),
      evidence,
    };
    return c.json(all, 200, attached("json"));
  });
}
