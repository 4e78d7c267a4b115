import { z } from "zod";
import { jsonOrText } from "../../json.ts";
import { checkArguments } from "../../reply-limits.ts";

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
 * an object, and a model may write what is no JSON, which becomes a JSON string. Null if nothing is called.
 * Throws `AttemptError` `unusable` for arguments beyond the limit.
 */
export function legibleCalls(body: unknown): string | null {
  const read = Calls.safeParse(body);
  if (!read.success) return null;
  const calls = read.data.choices.flatMap(({ message }) => message.tool_calls);
  const texts = calls.map(({ function: { arguments: given } }) =>
    typeof given === "string" ? given : (JSON.stringify(given) ?? ""),
  );
  checkArguments(texts);
  for (const [index, call] of calls.entries()) {
    const given = call.function.arguments;
    if (given == null || given === "") continue;
    call.function.arguments =
      typeof given === "string" ? JSON.stringify(jsonOrText(given)) : texts[index];
  }
  return JSON.stringify(read.data);
}
