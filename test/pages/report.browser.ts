import { join } from "node:path";
import { expect, test } from "vitest";
import { makeReport } from "../../evals/report/report.ts";
import { readResults } from "../../evals/score/read-results.ts";
import { reportPage } from "../../src/pages/report.ts";
import { GOOD, makeRun, order, ordering, POOR, PROCEDURES } from "../evals/run/made-runs.ts";
import { describePage, testAppearance } from "../support/browser.ts";
import { tempFolder } from "../support/temp.ts";
import { madeOrdering } from "./made-ordering.ts";

/** Runs of one model with procedures of 3 to 7 steps, one that judged pairs, a baseline, and mathematics. */
async function page(): Promise<string> {
  const root = await tempFolder();
  const samples = [
    ...PROCEDURES,
    ...[5, 6, 7].flatMap((clips) =>
      Array.from({ length: 6 }, (_, n) =>
        ordering(
          `${clips}${n}`,
          Array.from({ length: clips }, (_, place) => ((place + n) % clips) + 1),
          n % 2 === 0 ? "Change a tire" : "Build simple floating shelves",
        ),
      ),
    ),
  ];
  const truth = (right: (n: number) => boolean) =>
    Object.fromEntries(
      samples
        .slice(4)
        .map(({ id, answer }, n) => [
          id,
          right(n) ? order(...(answer as number[])) : order(...[...(answer as number[])].reverse()),
        ]),
    );
  const arm = (frames: number) => ({
    settings: { strategy: "direct", model: "openai:gpt-4o", recognition: { frames } } as const,
    line: {
      usage: { calls: 1, frames, input: 800 * frames, output: 40, cost: 0.002 * frames, paid: 0 },
      evidence: [
        { id: "e", kind: "caption", start_s: 3, end_s: 9, clip: 2, text: "A hand pours water." },
      ],
      calls: [
        {
          key: "k",
          stage: "ask",
          role: "reasoner",
          label: "answer directly",
          model: "openai:scripted",
          finish: "stop",
          cached: false,
          seconds: 1.25,
          frames,
          input: 800 * frames,
          output: 40,
        },
      ],
    },
  });
  const runs = [
    await makeRun(join(root, "direct-32-frames"), {
      ...arm(32),
      samples,
      replies: { ...GOOD, ...truth((n) => n % 3 !== 0) },
    }),
    await makeRun(join(root, "direct-8-frames"), {
      ...arm(8),
      samples,
      replies: { ...POOR, ...truth((n) => n % 4 === 0) },
    }),
    await makeRun(join(root, "tournament"), {
      settings: { strategy: "rrd", model: "openai:gpt-4o", reasoning: { method: "tournament" } },
      line: { answer: [2, 1, 3], diagnostics: { ordering: madeOrdering(3) } },
      samples: PROCEDURES.slice(0, 2),
      replies: { "1": order(2, 1, 3), "2": order(2, 1, 3) },
    }),
    await makeRun(join(root, "random"), {
      settings: { strategy: "random" },
      line: { usage: { calls: 0, frames: 0, input: 0, output: 0, cost: 0, paid: 0 } },
      samples,
      replies: { ...POOR, ...truth(() => false) },
    }),
    await makeRun(join(root, "mathematics"), {
      benchmark: "videomathqa",
      settings: { strategy: "direct", model: "openai:gpt-4o" },
      samples: ["Counting", "Geometry Area", "Statistics"].map((category, n) => ({
        id: `q${n}`,
        video: `videos/v${n}.mp4`,
        hasVideo: true,
        question: "How long is the side that is drawn in red?",
        task: "choice",
        options: [..."ABCDE"].map((letter, place) => ({ letter, text: `${place + 3} cm` })),
        answer: "C",
        row: { question_id: `q${n}`, category, length: ["short", "medium", "long"][n] },
      })),
      replies: { q0: "C", q1: "D", q2: "C" },
    }),
  ];
  return reportPage(makeReport(await Promise.all(runs.map((path) => readResults(path)))));
}

describePage("the report in a browser", page, (open) => {
  testAppearance("report", open, (page) =>
    page.evaluate(
      "for (const one of [...document.querySelectorAll('.questions > li')].slice(0, 2)) for (const part of one.querySelectorAll('details')) part.open = true",
    ),
  );

  test("the judgements of an order open next to the replies, each with its name", async () => {
    const page = await open();
    const first = page.locator("#questions-1 > li").first();
    await first.locator("summary").first().click();
    const matrix = first.getByRole("region", {
      name: "Pairwise judgements: sample 1, tournament",
    });
    expect(await matrix.isVisible()).toBe(false);
    await first.getByText("Judgements behind the order").click();
    expect(await matrix.isVisible()).toBe(true);
    expect(await matrix.locator("thead th").allTextContents()).toEqual([
      ...["Clip 2", "Clip 1", "Clip 3"],
    ]);
    expect(await matrix.getByRole("img", { name: "against the order" }).count()).toBe(3);
  });

  test("the list of samples is filtered by outcome, run, group and text", async () => {
    const page = await open();
    const form = page.locator("form.filter").first();
    const shown = () => form.locator("output").textContent();
    const ids = () => page.locator("#questions-1 > li:not([hidden]) b").allTextContents();
    expect(await shown()).toBe("22 of 22");
    await form.locator("[name=outcome]").selectOption("failed");
    expect(await shown()).toBe("1 of 22");
    await form.locator("[name=run]").selectOption("direct-32-frames");
    expect(await shown()).toBe("0 of 22");
    await form.locator("[name=outcome]").selectOption("wrong");
    await form.locator("[name=group]").selectOption("steps: 4");
    expect(
      await page.locator("#questions-1 > li:not([hidden]) summary b").allTextContents(),
    ).toEqual(["4"]);
    await form.locator("[name=group]").selectOption("");
    await form.locator("[name=outcome]").selectOption("");
    await form.getByLabel("Words").fill("floating SHELVES");
    expect(await shown()).toBe("9 of 22");
    expect((await ids()).length).toBeGreaterThan(0);
  });
});
