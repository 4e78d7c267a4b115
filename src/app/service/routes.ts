/* All route definitions: paths, parameters and schemas. The folder `handlers` implements them. */

export { audit } from "./routes/audit.ts";
export * from "./routes/bulk.ts";
export { changes } from "./routes/changes.ts";
export * from "./routes/evidence.ts";
export * from "./routes/human-study.ts";
export * from "./routes/keys.ts";
export * from "./routes/questions.ts";
export * from "./routes/reviews.ts";
export { search, videoTexts } from "./routes/search.ts";
export * from "./routes/service.ts";
export * from "./routes/usage.ts";
export * from "./routes/videos.ts";
