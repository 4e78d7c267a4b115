import { streamEvents } from "../event-stream.ts";
import { toQuestionView } from "../question-record.ts";
import * as routes from "../routes.ts";
import { type App, ownQuestion, ownVideo, type ServiceContext } from "../service-context.ts";

export function addQuestions(app: App, context: ServiceContext): void {
  const { questions, store } = context;

  app.openapi(routes.listQuestions, async (c) => {
    const { id } = await ownVideo(context, c.get("caller"), c.req.valid("param").id);
    const rows = await store.service.questionsOf(id);
    return c.json({ questions: questions.list(rows).map(toQuestionView) }, 200);
  });

  app.openapi(routes.askQuestion, async (c) => {
    const caller = c.get("caller");
    const upload = await ownVideo(context, caller, c.req.valid("param").id);
    return c.json(toQuestionView(await questions.ask(caller, upload, c.req.valid("json"))), 202);
  });

  app.openapi(routes.question, async (c) => {
    const question = await ownQuestion(context, c.get("caller"), c.req.valid("param").id);
    return c.json(toQuestionView(question), 200);
  });

  app.openapi(routes.cancelQuestion, async (c) => {
    const question = await ownQuestion(context, c.get("caller"), c.req.valid("param").id);
    return c.json(toQuestionView(await questions.cancel(question)), 202);
  });

  app.openapi(routes.questionEvents, async (c) => {
    const question = await ownQuestion(context, c.get("caller"), c.req.valid("param").id);
    const last = Number(c.req.header("last-event-id") ?? c.req.valid("query").after ?? 0);
    return streamEvents(c, context, question, Number.isSafeInteger(last) && last > 0 ? last : 0);
  });
}
