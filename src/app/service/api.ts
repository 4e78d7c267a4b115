/*
 * The zod schemas of all requests and responses, by topic. The route definitions and `/openapi.json` are built from them.
 */

export * from "./api-evidence.ts";
export * from "./api-questions.ts";
export * from "./api-service.ts";
export { Id, Instant, instantOf, Problem } from "./api-shared.ts";
export * from "./api-videos.ts";
