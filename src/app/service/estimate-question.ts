import { needsModel, strategies } from "../../../graphs/define-strategy.ts";
import { estimateCalls } from "../../../graphs/estimate-calls.ts";
import { planChoice } from "../../../graphs/plan.ts";
import { openVideo } from "../../../tools/video/video.ts";
import { windowSeconds } from "../../core/settings.ts";
import { modelOf } from "../../models/name.ts";
import { readPrices } from "../../models/prices.ts";
import type { EstimateView, NewEstimate } from "./api.ts";
import type { Caller } from "./auth.ts";
import { parseRequestSettings, resolveSettings } from "./request-settings.ts";
import type { ownVideo, ServiceContext } from "./service-context.ts";

/** Questions whose durations give the expected one. */
const RECENT = 20;

/**
 * What a question would take, without asking it. The number of clips of an ordering is only known once it is answered:
 * its calls are null.
 */
export async function estimateQuestion(
  { store, options, uploads, questions }: ServiceContext,
  caller: Caller,
  row: Awaited<ReturnType<typeof ownVideo>>,
  { task = "open", settings: requested = {} }: NewEstimate,
): Promise<EstimateView> {
  const given = parseRequestSettings(requested, options);
  const settings = resolveSettings(given, options, options.data, task);
  const { strategy } = settings;
  const model = needsModel(strategy) ? modelOf(settings, "reasoner") : undefined;
  const filter = { owner: caller.owner, strategy, model: model ?? undefined, state: "answered" };
  const recent = await store.service.listQuestions(filter, {
    order: "desc",
    limit: RECENT,
    after: null,
  });
  const seconds = questions
    .list(recent.rows)
    .filter(({ record }) => record.asked.task === task && record.from === null)
    .flatMap(({ record: { started_at, ended_at } }) =>
      started_at === null || ended_at === null ? [] : [(ended_at - started_at) / 1000],
    )
    .sort((a, b) => a - b);
  const time = { seconds: seconds[seconds.length >> 1] ?? null, answered: seconds.length };
  const nothing = { exact: false, frames: null, tokens: null, cost: null, ...time };
  const { plan, roles } = strategies.get(strategy);
  if (roles.length > 0 && (plan === undefined || task === "order"))
    return { calls: null, ...nothing };

  const { probe } = await openVideo(await uploads.pathOf(row), { store, run: "service" });
  const every_s = windowSeconds(settings);
  const parts = every_s === null ? undefined : Math.max(1, Math.ceil(probe.duration_s / every_s));
  const prices = await readPrices(settings.runtime.prices);
  const stages = roles.length === 0 ? [] : planChoice(settings, probe.duration_s, parts);
  const { calls, exact, frames, input, outputMost, about, most } = estimateCalls(
    stages,
    { settings, task, probe },
    prices,
  );
  return {
    calls,
    exact,
    frames,
    tokens: { input, output_most: outputMost },
    cost: about === null || most === null ? null : { about, most },
    ...time,
  };
}
