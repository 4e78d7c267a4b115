/* Every route with what it takes and gives; the handlers join them to what they do. */

export * from "./routes/evidence.ts";
export * from "./routes/questions.ts";
export * from "./routes/service.ts";
export * from "./routes/videos.ts";
