import { type App, ownQuestion, ownVideo, type Parts } from "../context.ts";
import { streamEvents } from "../event-stream.ts";
import { viewOf } from "../record.ts";
import * as routes from "../routes.ts";

export function addQuestions(app: App, parts: Parts): void {
  const { asking, store } = parts;

  app.openapi(routes.listQuestions, async (c) => {
    const { id } = await ownVideo(parts, c.get("caller"), c.req.valid("param").id);
    const rows = await store.service.questionsOf(id);
    return c.json({ questions: asking.listed(rows).map(viewOf) }, 200);
  });

  app.openapi(routes.askQuestion, async (c) => {
    const caller = c.get("caller");
    const upload = await ownVideo(parts, caller, c.req.valid("param").id);
    return c.json(viewOf(await asking.ask(caller, upload, c.req.valid("json"))), 202);
  });

  app.openapi(routes.question, async (c) => {
    const kept = await ownQuestion(parts, c.get("caller"), c.req.valid("param").id);
    return c.json(viewOf(kept), 200);
  });

  app.openapi(routes.cancelQuestion, async (c) => {
    const kept = await ownQuestion(parts, c.get("caller"), c.req.valid("param").id);
    return c.json(viewOf(await asking.cancel(kept)), 202);
  });

  app.openapi(routes.questionEvents, async (c) => {
    const kept = await ownQuestion(parts, c.get("caller"), c.req.valid("param").id);
    const last = Number(c.req.header("last-event-id") ?? c.req.valid("query").after ?? 0);
    return streamEvents(c, parts, kept, Number.isSafeInteger(last) && last > 0 ? last : 0);
  });
}
