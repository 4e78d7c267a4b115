import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { needsModel, strategies } from "../../../../graphs/define-strategy.ts";
import { isFailure, systemCode } from "../../../core/errors.ts";
import { valueAt } from "../../../core/settings.ts";
import { version } from "../../../core/version.ts";
import { findFfmpeg } from "../../../media/binaries.ts";
import { requireAdmin } from "../admission.ts";
import type { App, Parts } from "../context.ts";
import { listReports, readReport } from "../reports.ts";
import * as routes from "../routes.ts";
import { defaultStrategy, settable, usable } from "../settings-given.ts";

export const COOKIE = "video_rrd_session";

export function addService(app: App, parts: Parts): void {
  const { options, store, gate, quota, asking, metrics } = parts;

  app.openapi(routes.health, (c) => c.json({ status: "ok" as const }, 200));

  app.openapi(routes.readiness, async (c) => {
    const checks = {
      store: await check("the store can be written", () => tryWriting(store.folder)),
      ffmpeg: await check("ffmpeg is there", findFfmpeg),
      running: { ok: !asking.isStopping(), detail: "no stop is under way" },
    };
    const ready = Object.values(checks).every(({ ok }) => ok);
    return c.json({ ready, checks }, ready ? 200 : 503);
  });

  app.openapi(routes.metrics, async (c) => {
    requireAdmin(c.get("caller"));
    const type = metrics.registry.contentType;
    return c.body(await metrics.registry.metrics(), 200, { "Content-Type": type });
  });

  app.openapi(routes.service, async (c) => {
    const caller = c.get("caller");
    const { limits, name } = caller;
    const used = await quota.used();
    const own = valueAt(options.settings, "model");
    const model = typeof own === "string" ? own : null;
    const { usable: names, missing } = usable(options, options.data);
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
        settings: settable().map(({ flag: _flag, ...leaf }) => ({
          ...leaf,
          choices: leaf.choices === null ? null : [...leaf.choices],
          strategies: leaf.strategies === null ? null : [...leaf.strategies],
        })),
        limits: {
          upload: options.upload_limit,
          quota: quota.mostOf(caller) ?? options.quota,
          used: used.of(caller.owner).bytes,
          open_uploads: options.open_uploads,
          in_flight: limits.in_flight,
          cost_a_day: limits.cost_a_day,
        },
        hosts: [...options.hosts],
        reports: options.reports !== null && caller.role === "admin",
        token: gate.needed,
        caller: name,
      },
      200,
    );
  });

  app.openapi(routes.session, async (c) => {
    const { token } = c.req.valid("json");
    const { address, secure } = c.get("client");
    const { id, name } = await gate.open(token, address);
    setCookie(c, COOKIE, id, { httpOnly: true, sameSite: "Strict", path: "/", secure });
    return c.json({ name }, 200);
  });

  app.openapi(routes.endSession, (c) => {
    gate.close(getCookie(c, COOKIE));
    deleteCookie(c, COOKIE, { path: "/" });
    return c.body(null, 204);
  });

  app.openapi(routes.listReports, async (c) => {
    requireAdmin(c.get("caller"));
    return c.json({ reports: await listReports(options.reports) }, 200);
  });

  app.openapi(routes.report, async (c) => {
    requireAdmin(c.get("caller"));
    const { name } = c.req.valid("param");
    const { html, policy } = await readReport(options.reports, name);
    return c.html(html, 200, { "Content-Security-Policy": policy });
  });
}

/** A byte on the disk: a full one shows itself only so. */
async function tryWriting(folder: string): Promise<void> {
  const file = join(folder, "tmp", "ready");
  await writeFile(file, "x");
  await rm(file, { force: true });
}

async function check(detail: string, work: () => Promise<unknown>) {
  try {
    await work();
    return { ok: true, detail };
  } catch (error) {
    const why = isFailure(error) ? error.kind : (systemCode(error) ?? "unknown");
    return { ok: false, detail: `expected that ${detail}, but it is not so (${why})` };
  }
}
