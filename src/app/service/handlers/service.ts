import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { needsModel, strategies } from "../../../../graphs/define-strategy.ts";
import { Failure, isFailure, systemCode } from "../../../core/errors.ts";
import { valueAt } from "../../../core/settings.ts";
import { version } from "../../../core/version.ts";
import { findFfmpeg } from "../../../media/find-ffmpeg.ts";
import type { Caller } from "../auth.ts";
import { listReports, readReport } from "../reports.ts";
import { callerSettings, defaultStrategy, usableStrategies } from "../request-settings.ts";
import { hasRole } from "../roles.ts";
import * as routes from "../routes.ts";
import type { App, ServiceContext } from "../service-context.ts";
import type { WatchedWorkers } from "../workers/watch-workers.ts";

const WAITING = "Waiting for a worker.";

export const COOKIE = "video_rrd_session";

/** How long readiness waits for the database. */
const ANSWER_MS = 2_000;

/** How long the description of the service waits for the count of stored bytes. */
const COUNT_MS = 50;

export function addService(app: App, context: ServiceContext): void {
  const { options, store, authenticator, quota, questions, metrics } = context;

  app.openapi(routes.health, (c) => c.json({ status: "ok" as const }, 200));

  app.openapi(routes.readiness, async (c) => {
    const checks = {
      store: await check("The data folder is writable.", "The data folder is not writable", () =>
        checkWritable(store.folder),
      ),
      ...(store.replicas === null
        ? {}
        : {
            database: await check("The database answers.", "The database does not answer", () =>
              Promise.race([
                store.service.spent("", ""),
                delay(ANSWER_MS, undefined, { ref: false }).then(() => {
                  throw new Failure("store-unreachable", "No answer in time.");
                }),
              ]),
            ),
          }),
      ffmpeg: await check("ffmpeg is installed.", "ffmpeg is not available", findFfmpeg),
      running: questions.isStopping()
        ? { ok: false, detail: "The service is shutting down." }
        : { ok: true, detail: "The service is running." },
    };
    const ready = Object.values(checks).every(({ ok }) => ok);
    const workers =
      context.workers === null ? {} : { workers: await checkWorkers(context.workers) };
    return c.json({ ready, checks: { ...checks, ...workers } }, ready ? 200 : 503);
  });

  app.openapi(routes.metrics, async (c) => {
    const type = metrics.registry.contentType;
    return c.body(await metrics.registry.metrics(), 200, { "Content-Type": type });
  });

  app.openapi(routes.service, async (c) => {
    const caller = c.get("caller");
    const { limits, name } = caller;
    const used = await quota.usedWithin(COUNT_MS);
    const own = valueAt(options.settings, "model");
    const model = typeof own === "string" ? own : null;
    const { usable: names, missing } = usableStrategies(options, options.data);
    const allowed =
      options.models === null
        ? null
        : [...new Set([...(model === null ? [] : [model]), ...options.models])];
    return c.json(
      {
        version: version(),
        models: {
          ...{ model, allowed, missing },
          strategies: names,
          strategy: defaultStrategy(options),
        },
        strategies: strategies.all().map(({ name, summary, overEvidence }) => ({
          ...{ name, summary },
          needs_model: needsModel(name),
          over_evidence: overEvidence !== undefined,
        })),
        settings: callerSettings().map(({ flag: _flag, ...leaf }) => ({
          ...leaf,
          choices: leaf.choices === null ? null : [...leaf.choices],
          strategies: leaf.strategies === null ? null : [...leaf.strategies],
          tasks: leaf.tasks === null ? null : [...leaf.tasks],
        })),
        limits: {
          upload: options.upload_limit,
          quota: quota.limitOf(caller) ?? options.quota,
          used: used.of(caller.owner).bytes,
          open_uploads: options.open_uploads,
          in_flight: limits.in_flight,
          cost_a_day: limits.cost_a_day,
        },
        hosts: [...options.hosts],
        reports: options.reports !== null && hasRole(caller.roles, ["operate"]),
        reviews: { ...options.reviews },
        human_study: options.human_study !== null,
        waiting: await waitingText(context, caller),
        token: authenticator.isRequired,
        caller: name,
        roles: [...caller.roles],
      },
      200,
    );
  });

  app.openapi(routes.session, async (c) => {
    const { token } = c.req.valid("json");
    const { address, secure } = c.get("client");
    const { id, name } = await authenticator.openSession(token, address);
    setCookie(c, COOKIE, id, { httpOnly: true, sameSite: "Strict", path: "/", secure });
    return c.json({ name }, 200);
  });

  app.openapi(routes.endSession, async (c) => {
    await authenticator.closeSession(getCookie(c, COOKIE));
    deleteCookie(c, COOKIE, { path: "/" });
    return c.body(null, 204);
  });

  app.openapi(routes.listReports, async (c) => {
    const items = await listReports(options.reports);
    return c.json({ items, next: null, total: items.length }, 200);
  });

  app.openapi(routes.report, async (c) => {
    const { name } = c.req.valid("param");
    const { html, policy } = await readReport(options.reports, name);
    return c.html(html, 200, { "Content-Security-Policy": policy });
  });
}

/** Whether a worker answers questions. Without one they wait, but the service can work. Anybody may read it. */
async function checkWorkers(workers: WatchedWorkers) {
  const isMissing = (await problemInTime(workers)) !== null;
  const detail = isMissing
    ? `${WAITING} Start \`video-rrd worker\` with the same --store, or look at \`runs workers\`.`
    : "Workers answer questions.";
  return { ok: !isMissing, detail };
}

/** Null also while the database does not answer. */
async function problemInTime(workers: WatchedWorkers): Promise<string | null> {
  const late = delay(ANSWER_MS, null, { ref: false });
  return Promise.race([workers.problem().catch(() => null), late]);
}

/** What a caller is told while no worker answers questions. Only the operator is told what workers lack. */
async function waitingText({ workers }: ServiceContext, { roles }: Caller): Promise<string | null> {
  const problem = workers === null ? null : await problemInTime(workers);
  if (problem === null) return null;
  return hasRole(roles, ["operate"])
    ? `${WAITING} ${problem}`
    : `${WAITING} Ask the operator to start one.`;
}

/** Writes one byte: there is no other way to detect a full disk. */
async function checkWritable(folder: string): Promise<void> {
  const file = join(folder, "tmp", "ready");
  await writeFile(file, "x");
  await rm(file, { force: true });
}

async function check(detail: string, failed: string, work: () => Promise<unknown>) {
  try {
    await work();
    return { ok: true, detail };
  } catch (error) {
    const why = isFailure(error) ? error.kind : (systemCode(error) ?? "unknown");
    return { ok: false, detail: `${failed} (${why}).` };
  }
}
