import { type App, type Ctx, ownQuestion, ownVideo, type Parts, videoView } from "../context.ts";
import { type Edit, editEvidence, listEvidence } from "../evidence-sets.ts";
import { evaluationRow, exportPage } from "../exports.ts";
import { refuse } from "../problems.ts";
import { isOpen, rowOf, viewOf } from "../record.ts";
import { readReview } from "../reviews.ts";
import * as routes from "../routes.ts";

export function addEvidence(app: App, parts: Parts): void {
  const { store, asking } = parts;
  /** One change at a time to a question, so that none is made on what another one replaces. */
  const turns = new Map<string, Promise<unknown>>();

  function inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = turns.get(id) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine
      .catch(() => undefined)
      .then(() => {
        if (turns.get(id) === settled) turns.delete(id);
      });
    turns.set(id, settled);
    return mine;
  }

  async function edit(c: Ctx, id: string, change: Edit) {
    const caller = c.get("caller");
    return inTurn(id, async () => {
      const kept = await ownQuestion(parts, caller, id);
      const upload = await ownVideo(parts, caller, kept.upload);
      const person = caller.name ?? "person";
      const { duration_s } = upload.video;
      const set = await editEvidence(store, kept, change, { person, duration_s });
      kept.record.set = set.id;
      await store.service.putQuestion(rowOf(kept));
      return listEvidence(store, kept, upload);
    });
  }

  app.openapi(routes.evidence, async (c) => {
    const caller = c.get("caller");
    const kept = await ownQuestion(parts, caller, c.req.valid("param").id);
    const upload = await ownVideo(parts, caller, kept.upload);
    return c.json(await listEvidence(store, kept, upload), 200);
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
    const kept = await ownQuestion(parts, caller, c.req.valid("param").id);
    const upload = await ownVideo(parts, caller, kept.upload);
    return c.json(viewOf(await asking.again(caller, upload, kept)), 202);
  });

  app.openapi(routes.review, async (c) => {
    const caller = c.get("caller");
    const { id } = c.req.valid("param");
    const given = c.req.valid("json");
    return inTurn(id, async () => {
      const kept = await ownQuestion(parts, caller, id);
      kept.record.review = readReview(kept.record, given, caller.name ?? "person");
      await store.service.putQuestion(rowOf(kept));
      return c.json(viewOf(kept), 200);
    });
  });

  app.openapi(routes.exportQuestion, async (c) => {
    const caller = c.get("caller");
    const kept = await ownQuestion(parts, caller, c.req.valid("param").id);
    const upload = await ownVideo(parts, caller, kept.upload);
    const { as } = c.req.valid("query");
    const attached = (ending: string) => ({
      "Content-Disposition": `attachment; filename="${kept.id}.${ending}"`,
    });
    if (as === "row") return c.json(evaluationRow(upload, kept), 200, attached("json"));
    if (as === "html") {
      const policy =
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";
      const headers = { ...attached("html"), "Content-Security-Policy": policy };
      return c.html(await exportPage(store, upload, kept), 200, headers);
    }
    if (isOpen(kept.record))
      throw refuse(409, "not-answered", "Expected a question that has come to its end.");
    const questions = (await store.service.questionsOf(upload.id)).length;
    const evidence = kept.record.answer === null ? null : await listEvidence(store, kept, upload);
    const all = { video: videoView(upload, questions), question: viewOf(kept), evidence };
    return c.json(all, 200, attached("json"));
  });
}
