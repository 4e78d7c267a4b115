/**
 * A fetch that waits for as long as its signal lets it: Node's own gives up after 300 s without a byte, and a large
 * local model may think longer. Like Node's, it goes by a proxy of the environment where NODE_USE_ENV_PROXY is set.
 */
export async function patientFetch(): Promise<typeof globalThis.fetch> {
  const { Agent, EnvHttpProxyAgent, fetch } = await import("undici");
  const Dispatcher = process.env.NODE_USE_ENV_PROXY === "1" ? EnvHttpProxyAgent : Agent;
  const dispatcher = new Dispatcher({ headersTimeout: 0, bodyTimeout: 0 });
  const patient = (input: Parameters<typeof fetch>[0], init?: Parameters<typeof fetch>[1]) =>
    fetch(input, { ...init, dispatcher });
  // The two differ in their types alone.
  return patient as unknown as typeof globalThis.fetch;
}

/**
 * A fetch that sends further headers, in place of those of the same names. They are added here, because LangChain
 * shows a client's configuration to its tracers.
 */
export function withHeaders(
  fetch: typeof globalThis.fetch,
  more: Readonly<Record<string, string>>,
): typeof globalThis.fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    return fetch(input, { ...init, headers });
  };
}
