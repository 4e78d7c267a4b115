import { parentPort } from "node:worker_threads";
import { startBombServer } from "../../support/bomb-server.ts";

/* The model server of the attacks. It has its own thread, because generating gigabytes uses a whole core. */

const server = await startBombServer();
parentPort?.on("message", () => {
  parentPort?.postMessage(server.seen.splice(0));
});
parentPort?.postMessage(server.origin);
