import type { GraphContext } from "../../graphs/context.ts";
import type { Limit, Option } from "../../src/core/shapes.ts";

/** The result of one test of a clip. */
export interface ClipTest {
  /** Null: the reply chooses no step, or the model was not asked. */
  right: boolean | null;
  /** The budget that did not allow the call; null: the model was asked. */
  stopped_by: Limit | null;
}

/** Results of the same test of several clips. */
export interface TestAccount {
  /** Clips whose model was asked. */
  asked: number;
  /** Those of them whose reply chooses no step. They count as wrong. */
  unreadable: number;
  /** Clips that were not asked because a budget was spent, by budget. They are in no figure. */
  stopped: Record<string, number>;
}

/** Runs a test that returns the chosen letter; `name` is the right one of the options. Throws what `ask` throws. */
export async function testClip(
  name: string,
  options: readonly Option[],
  context: GraphContext,
  ask: (context: GraphContext) => Promise<string | null>,
): Promise<ClipTest> {
  let stopped_by: Limit | null = null;
  const { models } = context;
  const watched: GraphContext = {
    ...context,
    models: {
      foresee: (...given) => models.foresee(...given),
      nameOf: (role) => models.nameOf(role),
      // The tests of a sample share its budget, so only the call itself shows which of them was refused.
      async call(call) {
        const result = await models.call(call);
        if (result.status === "limit") stopped_by = result.limit;
        return result;
      },
    },
  };
  const letter = await ask(watched);
  const chosen = options.find((option) => option.letter === letter);
  return { right: chosen === undefined ? null : chosen.text === name, stopped_by };
}

export function accountOfTests(tests: readonly ClipTest[]): TestAccount {
  const account: TestAccount = { asked: 0, unreadable: 0, stopped: {} };
  for (const { right, stopped_by } of tests) {
    if (stopped_by === null) {
      account.asked++;
      if (right === null) account.unreadable++;
    } else account.stopped[stopped_by] = (account.stopped[stopped_by] ?? 0) + 1;
  }
  return account;
}
