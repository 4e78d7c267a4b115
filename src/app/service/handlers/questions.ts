import { streamEvents } from "../event-stream.ts";
import { readPage, toList } from "../list-pages.ts";
import { questionFilter } from "../question-filters.ts";
import { type StoredQuestion, toQuestionView } from "../question-record.ts";
import * as routes from "../routes.ts";
import {
  type App,
  locationOf,
  ownQuestion,
  ownVideo,
  readableQuestion,
  type ServiceContext,
} from "../service-context.ts";
import { readTrace } from "../trace.ts";

export function addQuestions(app: App, context: ServiceContext): void {
  const { questions, store } = context;

  app.openapi(routes.listQuestions, async (c) => {
    const query = c.req.valid("query");
    const filter = questionFilter(query, c.get("caller").owner);
    const page = await store.service.listQuestions(filter, readPage(query));
    const rows = questions.list(page.rows);
    const videos = new Map<string, string>();
    for (const id of new Set(rows.map(({ upload }) => upload)))
      videos.set(id, (await store.service.upload(id))?.name ?? "");
    const view = (row: StoredQuestion) => ({
      ...toQuestionView(row),
      video_name: videos.get(row.upload) ?? "",
    });
    return c.json(toList(query, { ...page, rows }, view), 200);
  });

  app.openapi(routes.askQuestion, async (c) => {
    const caller = c.get("caller");
    const upload = await ownVideo(context, caller, c.req.valid("param").id);
    const question = await questions.ask(caller, upload, c.req.valid("json"), c.get("made"));
    return c.json(toQuestionView(question), 202, locationOf("questions", question.id));
  });

  app.openapi(routes.question, async (c) => {
    const question = await readableQuestion(context, c.get("caller"), c.req.valid("param").id);
    return c.json(toQuestionView(question), 200);
  });

  app.openapi(routes.cancelQuestion, async (c) => {
    const question = await ownQuestion(context, c.get("caller"), c.req.valid("param").id);
    return c.json(toQuestionView(await questions.cancel(question)), 202);
  });

  app.openapi(routes.questionTrace, async (c) => {
    const question = await readableQuestion(context, c.get("caller"), c.req.valid("param").id);
    return c.json(await readTrace(store, question.id), 200);
  });

  app.openapi(routes.questionEvents, async (c) => {
    const question = await readableQuestion(context, c.get("caller"), c.req.valid("param").id);
    const last = Number(c.req.header("last-event-id") ?? c.req.valid("query").after ?? 0);
    return streamEvents(c, context, question, Number.isSafeInteger(last) && last > 0 ? last : 0);
  });
}
