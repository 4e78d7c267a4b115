import "../../graphs/state.ts";
import { AsyncLocalStorageProviderSingleton as provider } from "@langchain/core/singletons";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { getCurrentRunTree, traceable } from "langsmith/traceable";
import { afterEach, describe, expect, test } from "vitest";
import { shareUntracedRuns } from "../../src/tracing/share-untraced-runs.ts";

shareUntracedRuns();

const State = Annotation.Root({ tenant: Annotation<string>(), seen: Annotation<string[]>() });

/** A node that waits, reads what it inherited, and calls a function that LangSmith can trace. */
const graph = new StateGraph(State)
  .addNode("read", async ({ tenant }) => {
    await new Promise((done) => setTimeout(done, 1));
    const { configurable } = provider.getRunnableConfig();
    const traced = traceable(async (name: string) => name, { name: "inner" });
    return { seen: [configurable.tenant, await traced(tenant)] };
  })
  .addEdge(START, "read")
  .addEdge("read", END)
  .compile();

const ask = (tenant: string, more: object = {}) =>
  graph.invoke({ tenant }, { configurable: { tenant }, ...more });

afterEach(() => {
  delete process.env.LANGSMITH_TRACING;
});

describe("runs that nothing traces", () => {
  test("steps at the same time inherit their own configuration", async () => {
    const tenants = Array.from({ length: 20 }, (_, index) => `t${index}`);
    const all = await Promise.all(tenants.map((tenant) => ask(tenant)));
    expect(all.map(({ seen }) => seen)).toEqual(tenants.map((tenant) => [tenant, tenant]));
  });

  test("they share one run of LangSmith, and what is called in one is not kept by it", async () => {
    const run = () => provider.runWithConfig({}, () => getCurrentRunTree());
    const [first, second] = [run(), run()];
    expect(first.id).toBe(second.id);
    await provider.runWithConfig({}, () => traceable(async () => 1, { name: "inner" })());
    expect(run().child_runs).toEqual([]);
  });

  test("steps with a callback keep their own runs", async () => {
    const names: string[] = [];
    const handler = { handleChainStart: (...given: unknown[]) => names.push(String(given[7])) };
    await ask("t", { callbacks: [handler] });
    expect(names).toContain("read");
  });

  test("with tracing on, each step has its own run", () => {
    process.env.LANGSMITH_TRACING = "true";
    const run = () => provider.runWithConfig({}, () => getCurrentRunTree());
    expect(run().id).not.toBe(run().id);
  });
});
