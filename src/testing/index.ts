export type { FileVerb, ModelFiles, UploadedFile } from "./files-api.ts";
export { type ModelServer, type ServerOptions, startModelServer } from "./model-server.ts";
export type { RequestContent, SeenPart } from "./request.ts";
export type { Reply, Script, SeenRequest, Tokens } from "./script.ts";
