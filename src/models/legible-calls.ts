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
 * A completion whose tool calls carry their arguments as JSON in a text, as OpenAI's client needs them: some servers send
 * an object, and a model may write what is no JSON, which becomes a JSON string. Null where nothing is called.
 */
export function legibleCalls(body: unknown): string | null {
  const read = Calls.safeParse(body);
  if (!read.success) return null;
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
