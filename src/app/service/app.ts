import { OpenAPIHono } from "@hono/zod-openapi";
import { bodyLimit } from "hono/body-limit";
import { getCookie } from "hono/cookie";
import { routePath } from "hono/route";
import { describeExpected } from "../../core/describe-issue.ts";
import { version } from "../../core/version.ts";
import { forOwner } from "../../media/places.ts";
import { API_DOCS_POLICY, apiDocs } from "../../pages/api-docs.ts";
import { SERVICE_POLICY, serviceAsset, servicePage } from "../../pages/service-page.ts";
import type { App, Ctx, Env, Parts } from "./context.ts";
import { drainBody } from "./drain-body.ts";
import { checkHost, checkOrigin, SAFE_HEADERS } from "./guard.ts";
import { addEvidence } from "./handlers/evidence.ts";
import { addQuestions } from "./handlers/questions.ts";
import { addService, COOKIE } from "./handlers/service.ts";
import { addVideos } from "./handlers/videos.ts";
import { isLoopback } from "./options.ts";
import { notFound, refusalOf, refuse } from "./problems.ts";
import * as routes from "./routes.ts";
import { checkJson } from "./safe-json.ts";
import { newId } from "./uploads.ts";

const JSON_BYTES = 2 ** 20;
/** What anybody may see: nothing that was given to the service. */
const OPEN = /^\/(?:$|assets\/|docs$|openapi\.json$|healthz$|readyz$|api\/session$)/;
/** Where in a request something is wrong, in words. */
const PLACES = {
  json: "body",
  form: "form",
  query: "query",
  param: "part of the path",
  header: "header",
  cookie: "cookie",
} as const;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** The HTTP side of a service: routes, guards, problems, logs and figures. */
export function createApp(parts: Parts): App {
  const app: App = new OpenAPIHono<Env>({
    defaultHook: (result) => {
      if (result.success) return;
      const [issue] = result.error.issues;
      const where = issue?.path.length ? ` at \`${issue.path.join(".")}\`` : "";
      throw refuse(
        422,
        "wrong-request",
        `Expected another ${PLACES[result.target]}${where}: it has to be ${describeExpected(issue)}.`,
      );
    },
  });
  app.use(observe(parts));
  app.use(guard(parts));
  app.use(readJson(parts));
  addService(app, parts);
  addVideos(app, parts);
  addQuestions(app, parts);
  addEvidence(app, parts);
  addPages(app);
  const paths = Object.values(routes).map(({ method, path }) => ({
    method: method.toUpperCase(),
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
  }));
  app.notFound((c) => {
    const allowed = paths
      .filter(({ pattern }) => pattern.test(c.req.path))
      .map(({ method }) => method);
    if (allowed.length === 0) return problem(c, parts, notFound("a page"));
    const headers = { Allow: [...new Set(allowed)].join(", ") };
    const detail = `Expected ${allowed.join(" or ")} here, got ${c.req.method}.`;
    return problem(c, parts, refuse(405, "method-not-allowed", detail, { headers }));
  });
  app.onError((error, c) => problem(c, parts, error));
  return app;
}

/** Gives each request an id, and tells log and figures how it ended: never its headers, query or body. */
function observe({ metrics, log }: Parts) {
  return async (c: Ctx, next: () => Promise<void>) => {
    const request = newId();
    const began = performance.now();
    c.set("request", request);
    await next();
    for (const [name, value] of Object.entries(SAFE_HEADERS))
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    c.res.headers.set("X-Request-Id", request);
    if (c.res.status >= 400 && c.res.status !== 408) await drainBody(c.env.incoming);
    // What is left of a body is not waited for: nothing else can come over this connection.
    if (!c.env.incoming.complete) c.res.headers.set("Connection", "close");
    const { method } = c.req;
    const known = METHODS.some((name) => name === method) ? method : "other";
    const route = routePath(c, -1);
    const ms = performance.now() - began;
    const status = c.res.status;
    metrics.requests.inc({ method: known, route, status });
    metrics.requestSeconds.observe({ method: known, route }, ms / 1000);
    const level = status >= 500 ? "error" : "info";
    log[level](
      {
        request,
        method: known,
        route,
        status,
        ms: Math.round(ms),
        caller: c.get("caller")?.name ?? undefined,
      },
      "request",
    );
  };
}

function guard({ gate, options, clientOf }: Parts) {
  const loopback = isLoopback(options.host);
  return async (c: Ctx, next: () => Promise<void>) => {
    const client = clientOf({
      remote: c.env.incoming.socket.remoteAddress ?? "",
      for: c.req.header("x-forwarded-for"),
      proto: c.req.header("x-forwarded-proto"),
      host: c.req.header("x-forwarded-host"),
    });
    c.set("client", client);
    // Behind a proxy the public name is the host; there only a token keeps a rebound name out.
    if (loopback && !(client.proxied && gate.needed)) checkHost(c);
    checkOrigin(c, client.host);
    if (OPEN.test(c.req.path) && !(c.req.path === "/api/session" && c.req.method !== "POST"))
      return next();
    const caller = await gate.callerOf({
      authorization: c.req.header("authorization"),
      cookie: getCookie(c, COOKIE),
      address: client.address,
    });
    c.set("caller", caller);
    await forOwner(caller.owner, next);
  };
}

/** Reads a JSON body whole, in time and within its size, before a handler asks for it. */
function readJson({ options }: Parts) {
  const limit = bodyLimit({
    maxSize: JSON_BYTES,
    onError: () => {
      throw refuse(413, "too-large", `Expected a body of at most ${JSON_BYTES} bytes.`);
    },
  });
  return async (c: Ctx, next: () => Promise<void>) => {
    const { method, path } = c.req;
    const isFile =
      path === "/api/videos"
        ? method === "POST"
        : method === "PATCH" && path.startsWith("/api/uploads/");
    if (isFile || !["POST", "PUT", "PATCH"].includes(method)) return next();
    const type = c.req.header("content-type") ?? "";
    const empty =
      c.req.header("content-length") === "0" ||
      (c.req.header("content-length") === undefined &&
        c.req.header("transfer-encoding") === undefined);
    if (!empty && !/^application\/json\b/i.test(type))
      throw refuse(415, "wrong-type", "Expected a body of the type application/json.");
    return limit(c, async () => {
      checkJson(await inTime(c.req.text(), options.patience.json_ms));
      await next();
    });
  };
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_done, reject) => {
    const why = refuse(408, "too-slow", "Expected the whole body sooner.", {
      headers: { Connection: "close" },
    });
    timer = setTimeout(() => reject(why), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function addPages(app: App): void {
  const page = servicePage();
  app.get("/", (c) =>
    c.html(page, 200, { "Content-Security-Policy": SERVICE_POLICY, "Cache-Control": "no-cache" }),
  );
  app.get("/assets/*", (c) => {
    const asset = serviceAsset(c.req.path.slice("/assets/".length));
    if (asset === null) throw notFound("an asset");
    return c.body(asset.body, 200, {
      "Content-Type": asset.type,
      "Cache-Control": "public, max-age=31536000, immutable",
    });
  });
  let made: ReturnType<App["getOpenAPI31Document"]> | undefined;
  const document = () => {
    made ??= app.getOpenAPI31Document({
      openapi: "3.1.0",
      info: {
        title: "video-rrd",
        version: version(),
        description: "Ask about videos; see the evidence, correct it, and let it reason again.",
      },
    });
    return made;
  };
  app.get("/openapi.json", (c) => c.json(document()));
  app.get("/docs", (c) =>
    c.html(apiDocs(document()), 200, { "Content-Security-Policy": API_DOCS_POLICY }),
  );
}

function problem(c: Ctx, { log, hidePaths }: Parts, error: unknown): Response {
  const request = c.get("request");
  const { status, headers, problem: body, ours } = refusalOf(error, request);
  if (ours) log.error({ request, err: error }, "a request failed");
  return c.body(JSON.stringify({ ...body, detail: hidePaths(body.detail) }), status, {
    "Content-Type": "application/problem+json",
    ...headers,
  });
}
