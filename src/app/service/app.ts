import { OpenAPIHono } from "@hono/zod-openapi";
import { bodyLimit } from "hono/body-limit";
import { compress } from "hono/compress";
import { getCookie } from "hono/cookie";
import { routePath } from "hono/route";
import { describeExpected } from "../../core/describe-issue.ts";
import { forOwner } from "../../media/process-queue.ts";
import { API_DOCS_POLICY, apiDocs } from "../../pages/api-docs.ts";
import { SERVICE_POLICY, serviceAsset, servicePage } from "../../pages/service-page.ts";
import { addMcp } from "../mcp/add-mcp.ts";
import { answerOldPaths, methodsOf } from "./api-paths.ts";
import { auditRequests } from "./audit-requests.ts";
import { tableFormat } from "./bulk-questions.ts";
import { drainBody } from "./drain-body.ts";
import { addAudit } from "./handlers/audit.ts";
import { addBulk } from "./handlers/bulk.ts";
import { addChanges } from "./handlers/changes.ts";
import { addEvidence } from "./handlers/evidence.ts";
import { addHumanStudy } from "./handlers/human-study.ts";
import { addKeys } from "./handlers/keys.ts";
import { addQuestions } from "./handlers/questions.ts";
import { addReviews } from "./handlers/reviews.ts";
import { addSearch } from "./handlers/search.ts";
import { addService, COOKIE } from "./handlers/service.ts";
import { addUsage } from "./handlers/usage.ts";
import { addVideos } from "./handlers/videos.ts";
import { answerOnce } from "./idempotency.ts";
import { checkJson } from "./json-limits.ts";
import { type OpenApiDocument, openApiDocument } from "./openapi.ts";
import { isLoopback } from "./options.ts";
import { answerConditionally } from "./preconditions.ts";
import { httpProblem, notFound, toProblemResponse } from "./problems.ts";
import { checkHost, checkOrigin, SECURITY_HEADERS } from "./request-security.ts";
import * as routes from "./routes.ts";
import type { App, Ctx, Env, ServiceContext } from "./service-context.ts";
import { SUBTITLE_BYTES } from "./subtitle-files.ts";
import { newId } from "./uploads.ts";

const JSON_BYTES = 2 ** 20;
const BULK_ASK = routes.bulkAsk.path;
/** Paths without authentication: they show none of the callers' data. */
const PUBLIC = /^\/(?:$|assets\/|docs$|openapi\.json$|healthz$|readyz$|api\/v1\/session$)/;
/** Names of the parts of a request, for messages. */
const REQUEST_PARTS = {
  json: "request body",
  form: "form",
  query: "query string",
  param: "path",
  header: "header",
  cookie: "cookie",
} as const;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** The Hono app of a service: middleware, routes, error responses. */
export function createApp(context: ServiceContext): App {
  const app: App = new OpenAPIHono<Env>({
    defaultHook: (result) => {
      if (result.success) return;
      const [issue] = result.error.issues;
      const member = issue?.path.length ? `"${issue.path.join(".")}"` : "it";
      const isMissing = issue?.path.length && issue.message.endsWith("received undefined");
      throw httpProblem(
        422,
        "wrong-request",
        `Invalid ${REQUEST_PARTS[result.target]}: ${member} ${isMissing ? "is missing" : `must be ${describeExpected(issue)}`}.`,
      );
    },
  });
  app.use(logRequests(context));
  app.use(compressResponses());
  app.use(checkSource(context));
  app.use(answerOldPaths());
  app.use(authenticate(context));
  app.use(readJson(context));
  app.use("/api/v1/*", answerOnce(context));
  app.use(auditRequests(context));
  app.use("/api/v1/*", answerConditionally);
  addService(app, context);
  addVideos(app, context);
  addBulk(app, context);
  addQuestions(app, context);
  addEvidence(app, context);
  addSearch(app, context);
  addReviews(app, context);
  addHumanStudy(app, context);
  addUsage(app, context);
  addAudit(app, context);
  addChanges(app, context);
  addKeys(app, context);
  addMcp(app, context);
  addPages(app);
  app.notFound((c) => {
    const allowed = methodsOf(c.req.path);
    if (allowed.length === 0)
      return problemResponse(
        c,
        context,
        httpProblem(404, "not-found", "Unknown path. /docs describes every path of the API."),
      );
    const headers = { Allow: [...new Set(allowed)].join(", ") };
    const detail = `${c.req.method} is not supported here. Use ${allowed.join(" or ")}.`;
    return problemResponse(c, context, httpProblem(405, "method-not-allowed", detail, { headers }));
  });
  app.onError((error, c) => problemResponse(c, context, error));
  return app;
}

/** Asked every few seconds by whatever runs the service. */
const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** Gives each request an id and security headers, and logs and counts it, without its headers, query or body. */
function logRequests({ metrics, log }: ServiceContext) {
  return async (c: Ctx, next: () => Promise<void>) => {
    const request = newId();
    const began = performance.now();
    c.set("request", request);
    await next();
    for (const [name, value] of Object.entries(SECURITY_HEADERS))
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    c.res.headers.set("X-Request-Id", request);
    if (c.res.status >= 400 && c.res.status !== 408) await drainBody(c.env.incoming);
    // An unread rest of the body makes the connection unusable for the next request.
    if (!c.env.incoming.complete) c.res.headers.set("Connection", "close");
    const { method } = c.req;
    const known = METHODS.some((name) => name === method) ? method : "other";
    const route = routePath(c, -1);
    const ms = performance.now() - began;
    const status = c.res.status;
    metrics.requests.inc({ method: known, route, status });
    metrics.requestSeconds.observe({ method: known, route }, ms / 1000);
    const level = status >= 500 ? "error" : PROBES.has(route) ? "debug" : "info";
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

/** Refuses requests of foreign pages, and notes from where the request came. */
function checkSource({ authenticator, options, clientOf }: ServiceContext) {
  const loopback = isLoopback(options.host);
  return async (c: Ctx, next: () => Promise<void>) => {
    const client = clientOf({
      remote: c.env.incoming.socket.remoteAddress ?? "",
      for: c.req.header("x-forwarded-for"),
      proto: c.req.header("x-forwarded-proto"),
      host: c.req.header("x-forwarded-host"),
    });
    c.set("client", client);
    // Behind a proxy, the host is the public name. There, the token prevents DNS rebinding.
    if (loopback && !(client.proxied && authenticator.isRequired)) checkHost(c);
    checkOrigin(c, client.host);
    await next();
  };
}

function authenticate({ authenticator }: ServiceContext) {
  return async (c: Ctx, next: () => Promise<void>) => {
    if (PUBLIC.test(c.req.path) && !(c.req.path === "/api/v1/session" && c.req.method !== "POST"))
      return next();
    const caller = await authenticator.callerOf({
      authorization: c.req.header("authorization"),
      cookie: getCookie(c, COOKIE),
      address: c.get("client").address,
    });
    c.set("caller", caller);
    await forOwner(caller.owner, next);
  };
}

/** Responses that hold a secret, or are next to one, and are not compressed. */
const SECRET = new Set(["/api/v1/session", "/api/v1/keys"]);

/** Compresses JSON and pages. */
function compressResponses() {
  const gzip = compress();
  return (c: Ctx, next: () => Promise<void>) => (SECRET.has(c.req.path) ? next() : gzip(c, next));
}

const SUBTITLES = /^\/api\/v1\/videos\/[^/]+\/subtitles$/;

/** Reads a JSON body, or a subtitle file, within its size and time limits before the handler runs. */
function readJson({ options }: ServiceContext) {
  const limitTo = (maxSize: number) =>
    bodyLimit({
      maxSize,
      onError: () => {
        throw httpProblem(
          413,
          "too-large",
          `The request body is longer than the limit of ${maxSize} bytes.`,
        );
      },
    });
  const [limit, limitFile] = [limitTo(JSON_BYTES), limitTo(SUBTITLE_BYTES)];
  return async (c: Ctx, next: () => Promise<void>) => {
    const { method, path } = c.req;
    const isFile =
      path === "/api/v1/videos"
        ? method === "POST"
        : method === "PATCH" && path.startsWith("/api/v1/uploads/");
    if (method === "PUT" && SUBTITLES.test(path))
      return limitFile(c, async () => {
        await withTimeout(c.req.arrayBuffer(), options.timeouts.json_ms);
        await next();
      });
    if (isFile || !["POST", "PUT", "PATCH"].includes(method)) return next();
    const type = c.req.header("content-type") ?? "";
    const empty =
      c.req.header("content-length") === "0" ||
      (c.req.header("content-length") === undefined &&
        c.req.header("transfer-encoding") === undefined);
    const isTable = path === BULK_ASK && tableFormat(type) !== null;
    if (!empty && !isTable && !/^application\/json\b/i.test(type))
      throw httpProblem(
        415,
        "wrong-type",
        path === BULK_ASK
          ? "Unsupported content type: send the rows as text/csv, application/x-ndjson or application/json."
          : "Unsupported content type: send the body as application/json.",
      );
    return limit(c, async () => {
      const text = await withTimeout(c.req.text(), options.timeouts.json_ms);
      if (!isTable) checkJson(text);
      await next();
    });
  };
}

async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_done, reject) => {
    const why = httpProblem(408, "too-slow", "The request body arrived too slowly.", {
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
    const headers = {
      "Content-Type": asset.type,
      "Cache-Control": "public, max-age=31536000, immutable",
      Vary: "Accept-Encoding",
    };
    if (!/\bgzip\b/.test(c.req.header("accept-encoding") ?? ""))
      return c.body(asset.body, 200, headers);
    return c.body(asset.gzip, 200, { ...headers, "Content-Encoding": "gzip" });
  });
  let cached: OpenApiDocument | undefined;
  const document = () => {
    cached ??= openApiDocument();
    return cached;
  };
  app.get("/openapi.json", (c) => c.json(document()));
  app.get("/docs", (c) =>
    c.html(apiDocs(document()), 200, { "Content-Security-Policy": API_DOCS_POLICY }),
  );
}

function problemResponse(c: Ctx, { log, hidePaths }: ServiceContext, error: unknown): Response {
  const request = c.get("request");
  const { status, headers, problem: body, internal } = toProblemResponse(error, request);
  if (internal) log.error({ request, err: error }, "request failed");
  return c.body(JSON.stringify({ ...body, detail: hidePaths(body.detail) }), status, {
    "Content-Type": "application/problem+json",
    ...headers,
  });
}
