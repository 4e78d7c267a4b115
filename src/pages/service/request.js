/** @import { ProblemView } from "./types.d.ts" */
import { lost, reached } from "./connection.js";

/** Where a session begins and ends; the only path that asks for no key. */
export const SESSION = "/api/v1/session";

const AWAY = "The service cannot be reached. The page retries automatically.";
/** What changes something is never sent again unasked. */
const AWAY_WHILE_SENDING =
  "The service cannot be reached, and it is unknown whether the request arrived. Try again once the connection is back.";

/** An error response of the service; `message` is one sentence for a person. */
export class Problem extends Error {
  /**
   * @param {number} status HTTP status, 0 if the service was not reached.
   * @param {string} sentence
   * @param {ProblemView} [view]
   */
  constructor(status, sentence, view = {}) {
    super(sentence);
    this.status = status;
    this.view = view;
  }
}

/** @type {() => Promise<void>} */
let signIn = () => Promise.reject(new Problem(401, "An access key is required."));

/**
 * Sets what to do when the service requires a key: resolves once there is a session.
 * @param {() => Promise<void>} ask
 */
export function onSignInNeeded(ask) {
  signIn = ask;
}

/**
 * @template Body
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body] sent as JSON
 * @param {Record<string, string>} [more] further headers
 * @returns {Promise<Body>}
 */
export async function call(method, path, body, more = {}) {
  const headers = new Headers(more);
  if (body !== undefined) headers.set("content-type", "application/json");
  return ask(path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
}

/**
 * Repeats the request with a key if the key is missing.
 * @param {string} path
 * @param {RequestInit} init
 */
async function ask(path, init) {
  const response = await reach(path, init);
  if (response.status !== 401 || path === SESSION) return read(response);
  await signIn();
  return read(await reach(path, init));
}

/**
 * @template Body
 * @param {string} path
 * @returns {Promise<Body>}
 */
export function get(path) {
  return call("GET", path);
}

/**
 * Sends bytes instead of JSON.
 * @template Body
 * @param {string} method
 * @param {string} path
 * @param {Blob} body
 * @param {Record<string, string>} headers
 * @param {AbortSignal | null} [signal]
 * @returns {Promise<Body>}
 */
export async function send(method, path, body, headers, signal = null) {
  return ask(path, { method, body, headers, signal });
}

/**
 * @param {string} path
 * @param {RequestInit} init
 */
async function reach(path, init) {
  try {
    const response = await fetch(path, init);
    reached();
    return response;
  } catch (error) {
    if (init.signal?.aborted) throw error;
    lost();
    throw new Problem(0, init.method === "GET" ? AWAY : AWAY_WHILE_SENDING);
  }
}

/** @param {Response} response */
async function read(response) {
  if (response.status === 204) return null;
  const type = response.headers.get("content-type") ?? "";
  const body = type.includes("json") ? await response.json().catch(() => null) : null;
  if (response.ok && body !== null) return body;
  throw new Problem(response.status, sentence(body, response.status), body ?? {});
}

/**
 * A problem document as one sentence.
 * @param {ProblemView | null | undefined} problem
 * @param {number} [status]
 */
export function sentence(problem, status = problem?.status ?? 0) {
  return problem?.detail ?? problem?.title ?? `The service answered with status ${status}.`;
}

/** @param {unknown} error */
export function errorMessage(error) {
  return error instanceof Error ? error.message : String(error);
}
