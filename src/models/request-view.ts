import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Settings } from "../core/settings.ts";
import type { ChatRequest, Models } from "./chat.ts";
import { chatTarget } from "./chat-target.ts";
import { makeClient } from "./client.ts";
import { allServices } from "./define-provider.ts";
import { sentSeed, withGeneration } from "./generation.ts";
import { uploadsOf } from "./media-rules.ts";
import { nameOf } from "./name.ts";
import type { Target } from "./target.ts";

/**
 * A request as it goes over the wire, with `sha256:` and its hash instead of each medium's base64. No headers, so no
 * keys.
 */
export interface RequestView {
  method: string;
  url: string;
  body: unknown;
}

/** What the real client sends for a request, captured on loopback; nothing leaves the machine and no medium is read. */
export async function viewRequest(request: ChatRequest, target: Target): Promise<RequestView> {
  const caught = Promise.withResolvers<RequestView>();
  const server = createServer((incoming, response) => {
    text(incoming)
      .then((body) => ({
        method: incoming.method ?? "",
        url: `${target.baseUrl}${incoming.url ?? ""}`,
        body: JSON.parse(body) as unknown,
      }))
      .then(caught.resolve, caught.reject)
      .finally(() => response.writeHead(400).end("{}"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    const client = await makeClient({ ...target, baseUrl: `http://127.0.0.1:${port}` });
    const uploads = new Set(uploadsOf(request, target).map(({ hash }) => hash));
    const media = {
      mark: (hash: string) => `sha256:${hash}`,
      fill: async (json: string) => ({ body: json, headers: {} }),
      uri: (hash: string) => (uploads.has(hash) ? `sha256:${hash}` : null),
    };
    const sent = client(request, media, new AbortController().signal);
    // The client always fails here, on the 400 above; it is of interest only if nothing was caught.
    sent.catch(caught.reject);
    return await caught.promise;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A request is shown without its key, so none is required. */
function withoutKeys(): NodeJS.ProcessEnv {
  const keys = allServices().flatMap(({ key }) =>
    key.variables.slice(0, 1).map((name) => [name, "not-sent"]),
  );
  return { ...process.env, ...Object.fromEntries(keys) };
}

/**
 * Models that send nothing: the first call is shown as it would be sent, and each call returns that the budget of calls
 * is spent, so that a graph ends as it does without a budget.
 */
export function showFirstRequest(settings: Settings, show: (view: RequestView) => void): Models {
  let shown = false;
  // No header is shown, so the values of `--header` are not required either.
  const bare = { ...settings, runtime: { ...settings.runtime, headers: null } };
  return {
    async call(call) {
      const target = chatTarget(bare, call.role, withoutKeys());
      if (!shown) {
        shown = true;
        const request = withGeneration(call.request, settings);
        show(await viewRequest({ ...request, seed: sentSeed(request, call) }, target));
      }
      return { status: "limit", limit: "calls" };
    },
    // Nothing is sent, so every call is estimated as free: the first request is reached with any budget.
    foresee: async () => ({ calls: 0, frames: 0, tokens: 0, cost: 0 }),
    nameOf: (role) => nameOf(settings, role),
  };
}
