import { parentPort } from "node:worker_threads";
import { startBombServer } from "../../support/bomb-server.ts";

/* The model server of the attacks, in a thread of its own: making gigabytes takes all of one. */

const server = await startBombServer();
parentPort?.on("message", () => {
  parentPort?.postMessage(server.seen.splice(0));
});
parentPort?.postMessage(server.origin);
