import { z } from "zod";
import { jsonOrText } from "./json.ts";

const Calls = z.looseObject({
  choices: z.array(
    z.looseObject({
      message: z.looseObject({
        tool_calls: z.array(z.looseObject({ function: z.looseObject({ arguments: z.unknown() }) })),
      }),
    }),
  ),
});

/**
 * A fetch whose completions carry the arguments of their tool calls as JSON in a text, as OpenAI's client needs them:
 * some servers send an object, and a model may write what is no JSON, which becomes a JSON string.
 */
export function legibleCalls(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    if (!response.ok || !isJson) return response;
    const text = await response.text();
    return new Response(legible(text), {
      status: response.status,
      headers: { "content-type": "application/json" },
    });
  };
}

function legible(body: string): string {
  const read = Calls.safeParse(jsonOrText(body));
  if (!read.success) return body;
  for (const { message } of read.data.choices)
    for (const call of message.tool_calls) {
      const given = call.function.arguments;
      if (given == null || given === "") continue;
      call.function.arguments = JSON.stringify(
        typeof given === "string" ? jsonOrText(given) : given,
      );
    }
  return JSON.stringify(read.data);
}
