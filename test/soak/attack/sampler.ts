import { Agent, get } from "node:http";
import { parentPort, workerData } from "node:worker_threads";
import {
  coreTime,
  descendants,
  machineTime,
  memoryOf,
  programOf,
  resetPeak,
} from "./process-usage.ts";

/*
 * A thread that measures a service every 100 ms, even while the test's thread is busy. `begin` starts a window; `end`
 * returns its `Measured`.
 */

const EVERY_MS = 100;

/** The latency of one request to /healthz, and its causes. */
export interface Latency {
  ms: number;
  /** Time that the service's main thread ran, and that it waited for a core, during the request. */
  service_ran_ms: number;
  service_waited_ms: number;
  /** Time that the sampler's own thread waited for a core. */
  sampler_waited_ms: number;
}

export interface Measured {
  samples: number;
  /** Peak memory of the service's process in the window, from the kernel. */
  own_mb: number;
  /** Peak memory of the largest child process, and of all children together. */
  child_mb: number;
  child: string;
  children_mb: number;
  slowest: Latency;
  /** Longest time that the service's main thread ran while one request waited: how long its event loop was blocked. */
  stall_ms: number;
  /** Requests to /healthz that took longer than the limit. */
  slow: number;
  /** Requests that failed. */
  failed: number;
  seconds: number;
  /** Cores used by other programs of the machine. */
  others: number;
}

const { pid, url, bar_ms } = workerData as { pid: number; url: string; bar_ms: number };
const NONE: Latency = { ms: 0, service_ran_ms: 0, service_waited_ms: 0, sampler_waited_ms: 0 };
// One connection for all requests, so that connecting is not measured.
const agent = new Agent({ keepAlive: true });
const MAIN = `/proc/${pid}/task/${pid}`;
const OWN = "/proc/thread-self";

let measured: Measured;
let began = 0;
let others_s = 0;
/** The test, its servers and the sampler are one process; the service is its child. */
const othersNow = () => machineTime([process.pid]).others_s;
const open = new Set<Promise<void>>();

function fresh(): Measured {
  return {
    ...{ samples: 0, own_mb: 0, child_mb: 0, child: "", children_mb: 0 },
    ...{ slowest: NONE, stall_ms: 0, slow: 0, failed: 0, seconds: 0, others: 0 },
  };
}

function begin(): void {
  resetPeak(pid);
  measured = fresh();
  others_s = othersNow();
  began = performance.now();
}

function healthz(): Promise<void> {
  const into = measured;
  const sent = performance.now();
  const [service, own] = [coreTime(MAIN), coreTime(OWN)];
  return new Promise((done) => {
    const end = (ok: boolean) => {
      const ms = performance.now() - sent;
      const now = coreTime(MAIN);
      const latency = {
        ms,
        service_ran_ms: now.ran_ms - service.ran_ms,
        service_waited_ms: now.waited_ms - service.waited_ms,
        sampler_waited_ms: coreTime(OWN).waited_ms - own.waited_ms,
      };
      if (!ok) into.failed++;
      if (ms > bar_ms) into.slow++;
      if (ms > into.slowest.ms) into.slowest = latency;
      into.stall_ms = Math.max(into.stall_ms, latency.service_ran_ms);
      done();
    };
    const send = () => {
      const request = get(`${url}/healthz`, { agent }, (response) => {
        response.resume().on("end", () => end(response.statusCode === 200));
      });
      // The service may close the idle connection just before its next request.
      request.on("error", () => (request.reusedSocket ? send() : end(false)));
    };
    send();
  });
}

function sample(): void {
  const into = measured;
  into.samples++;
  const { now_mb, peak_mb } = memoryOf(pid);
  into.own_mb = Math.max(into.own_mb, now_mb, peak_mb);
  let all_mb = 0;
  for (const child of descendants(pid)) {
    const memory = memoryOf(child);
    all_mb += memory.now_mb;
    if (memory.peak_mb <= into.child_mb) continue;
    // Before `exec`, a child still counts the memory of the service.
    const program = programOf(child);
    if (program !== programOf(pid))
      Object.assign(into, { child_mb: memory.peak_mb, child: program });
  }
  into.children_mb = Math.max(into.children_mb, all_mb);
  const request = healthz().finally(() => open.delete(request));
  open.add(request);
}

begin();
setInterval(sample, EVERY_MS);
parentPort?.on("message", async (word: "begin" | "end") => {
  if (word === "begin") {
    begin();
    parentPort?.postMessage("begun");
    return;
  }
  // A request counts in the window in which it was sent.
  await Promise.all(open);
  measured.seconds = (performance.now() - began) / 1000;
  measured.others = Math.max(0, othersNow() - others_s) / measured.seconds;
  parentPort?.postMessage(measured);
});
