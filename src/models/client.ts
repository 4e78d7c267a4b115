import type { Client } from "./attempt.ts";
import { providers } from "./define-provider.ts";
import type { Target } from "./target.ts";

const clients = new Map<string, Promise<Client>>();

/** One client per model and process, which keeps its connections. */
export function clientOf(target: Target): Promise<Client> {
  const { name, baseUrl, key, headers, limits } = target;
  const id = JSON.stringify([name, baseUrl, key, headers, limits]);
  const known = clients.get(id);
  if (known !== undefined) return known;
  const made = makeClient(target);
  clients.set(id, made);
  return made;
}

export function makeClient(target: Target): Promise<Client> {
  return providers.get(target.provider).chat(target);
}
