import { httpProblem } from "./problems.ts";
import * as routes from "./routes.ts";
import type { Ctx } from "./service-context.ts";

const PATHS = Object.values(routes).map(({ method, path }) => ({
  method: method.toUpperCase(),
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
}));

/** The methods of a path of the API, in the order of its routes. */
export function methodsOf(path: string): string[] {
  const found = PATHS.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  return [...new Set(found)];
}

const OLD = /^\/api\/(?!v1(?:\/|$))/;
const OLD_QUESTIONS = /^\/api\/videos\/([^/]+)\/questions$/;

/**
 * Answers paths of the API from before its versions: reading redirects to the same thing (308), anything else is 410
 * with the new path. Requests and replies have other members now, so that a write is not repeated unseen.
 */
export function answerOldPaths() {
  return async (c: Ctx, next: () => Promise<void>) => {
    const { path, method } = c.req;
    if (!OLD.test(path)) return next();
    const reads = method === "GET" || method === "HEAD";
    const video = reads ? OLD_QUESTIONS.exec(path)?.[1] : undefined;
    if (video !== undefined) return c.redirect(`/api/v1/questions?video=${video}`, 308);
    const now = path.replace("/api/", "/api/v1/");
    const methods = methodsOf(now);
    if (methods.length === 0) return next();
    if (reads && methods.includes("GET"))
      return c.redirect(`${now}${new URL(c.req.url).search}`, 308);
    throw httpProblem(410, "moved", `The API has moved. Use ${now}; /docs describes it.`);
  };
}
