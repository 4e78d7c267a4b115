import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeStudy } from "../../evals/human-study/make-study.ts";
import { makeReport } from "../../evals/report/report.ts";
import { readEvalSettings } from "../../evals/run/eval-settings.ts";
import { readResults } from "../../evals/score/read-results.ts";
import { reportPage } from "../../src/pages/report.ts";
import { GOOD, makeRun, POOR, PROCEDURES } from "../evals/run/made-runs.ts";
import { accessibilityViolations, chromiumPath, takeScreenshot } from "../support/browser.ts";
import type { Script } from "../support/model-server.ts";
import { layoutFaults } from "../support/page-layout.ts";
import { openPageService, type PageService, putVideo } from "../support/page-service.ts";
import { makeShuffled, procedureModel, stepOf, wordsOf } from "../support/shuffled.ts";
import { tempFolder } from "../support/temp.ts";

/*
 * Every page at four widths, light and dark, and at 200 % zoom. With SCREENSHOTS=1, each is also written to
 * `coverage/screenshots`.
 */

const PLACES = [3, 1, 2, 4];
const answering: Script = async (request) => {
  const words = wordsOf(request);
  if (words.includes("was observed in a video"))
    return "The bowl is at stage 2 in the first clip [E1] [E2].\nAnswer: B";
  if (words.includes("Describe part")) return "A field of one colour, which grows lighter.";
  return stepOf(request) === "other" ? "Answer: B" : procedureModel(PLACES)(request);
};
const WIDTHS = [390, 768, 1440, 1920];
const LONG =
  "a_very_long_name_of_a_recording_without_any_space_at_all_in_it_2026-11-22_camera-2_final_version.mp4";

interface Shown {
  name: string;
  /** What follows the address of the service, or a whole document. */
  at: { path: string } | { html: string };
  ready: string;
}

describe.skipIf(chromiumPath === null)("every page at every width", () => {
  let service: PageService;
  let pages: Shown[];

  async function request<T>(path: string, body?: object): Promise<T> {
    const response = await fetch(`${service.url}/api/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as T;
  }
  async function asked(video: string, question: object): Promise<string> {
    const { id } = await request<{ id: string }>(`/videos/${video}/questions`, question);
    await (await fetch(`${service.url}/api/v1/questions/${id}/events`)).text();
    return id;
  }

  beforeAll(async () => {
    const folder = await tempFolder();
    const file = join(folder, "bowl.mp4");
    await makeShuffled(file, PLACES.length);
    const study = join(folder, "study");
    const data = join(folder, "questions.jsonl");
    const row = { id: "a", video: file, question: "Which colour?", options: ["red", "blue"] };
    await writeFile(data, JSON.stringify({ ...row, answer: "A" }));
    await makeStudy(readEvalSettings({ benchmark: "dataset", data }), study, {
      raters: ["rater-1"],
      ...{ per_item: 1, seed: 0 },
    });
    const reports = join(folder, "reports");
    await mkdir(reports);
    const runs = [
      await makeRun(join(folder, "many-frames"), {
        settings: { strategy: "direct", model: "openai:gpt-4o" },
        ...{ samples: PROCEDURES, replies: GOOD },
      }),
      await makeRun(join(folder, "few-frames"), {
        settings: { strategy: "random" },
        ...{ samples: PROCEDURES, replies: POOR },
      }),
    ];
    const report = reportPage(makeReport(await Promise.all(runs.map((run) => readResults(run)))));
    await writeFile(join(reports, "arms.html"), report);
    service = await openPageService(answering, { reports, human_study: study });
    const bytes = await readFile(file);
    const video = await putVideo(service.url, "A bowl in four shuffled steps.mp4", bytes);
    const other = await putVideo(service.url, LONG, bytes);
    const question = "At which stage is the bowl at first, and which words are written next to it?";
    const open = await asked(video, { text: question });
    const options = ["The bowl is at the first stage, without any liquid", "Stage two", "Three"];
    const choice = await asked(video, { text: question, options });
    const second = await asked(video, {
      text: question,
      options,
      settings: { strategy: "direct" },
    });
    const order = await asked(video, {
      ...{ text: "", goal: "Finish the bowl" },
      settings: { "reasoning.method": "tournament" },
    });
    await asked(other, { text: "Was it finished?" });
    const exported = await fetch(`${service.url}/api/v1/questions/${choice}/export?as=html`);
    const of = (...ids: string[]) => `/#/v/${video}/q/${ids.join("/")}`;
    pages = [
      { name: "library", at: { path: "/#/" }, ready: ".video" },
      { name: "search", at: { path: "/#/?q=stage" }, ready: ".hit" },
      { name: "moment", at: { path: `/#/v/${video}?t=1&q=stage` }, ready: ".line.found" },
      { name: "questions", at: { path: "/#/questions" }, ready: ".history li" },
      { name: "open", at: { path: of(open) }, ready: ".verdict" },
      { name: "choice", at: { path: of(choice) }, ready: ".verdict" },
      { name: "order", at: { path: of(order) }, ready: ".matrix" },
      { name: "compare", at: { path: of(choice, "vs", second) }, ready: ".agreement" },
      { name: "queue", at: { path: "/#/review" }, ready: ".queue article h2" },
      { name: "study", at: { path: "/#/study" }, ready: ".queue h1" },
      { name: "usage", at: { path: "/#/usage" }, ready: "table.usage" },
      { name: "reports", at: { path: "/#/reports" }, ready: ".reports li" },
      { name: "docs", at: { path: "/docs" }, ready: "h1" },
      { name: "report", at: { path: "/reports/arms.html" }, ready: "h1" },
      { name: "evidence-page", at: { html: await exported.text() }, ready: "h1" },
    ];
  });
  afterAll(() => service?.close());

  async function show(page: Page, { at, ready }: Shown): Promise<void> {
    // A new document, so that nothing is left of the page before.
    await page.goto("about:blank");
    if ("html" in at) await page.setContent(at.html);
    else await page.goto(`${service.url}${at.path}`);
    await page.locator(ready).first().waitFor();
    await page.waitForLoadState("networkidle", { timeout: 1000 }).catch(() => {});
  }
  async function faults(page: Page, name: string, axe: boolean): Promise<string[]> {
    await takeScreenshot(page, name);
    const found = await layoutFaults(page);
    return axe ? [...found, ...(await accessibilityViolations(page))] : found;
  }

  test("nothing overflows or is cut off, and axe finds nothing, light and dark", async () => {
    const { page, violations } = await service.open();
    const all: Record<string, string[]> = {};
    for (const shown of pages) {
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
      await show(page, shown);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          const name = `width-${shown.name}-${width}-${colorScheme}`;
          const axe = colorScheme === "light" ? width === 390 : width === 1440;
          // Colours change no box: dark pages are only looked at, and examined once.
          if (colorScheme === "dark" && !axe && process.env.SCREENSHOTS !== "1") continue;
          const found = await faults(page, name, axe);
          if (found.length > 0) all[name] = found;
        }
      }
    }
    expect(all).toEqual({});
    expect(violations).toEqual([]);
  });

  test("at 200 % zoom nothing overflows or is cut off", async () => {
    const { page } = await service.open({
      ...{ width: 640, height: 450, deviceScaleFactor: 2, reducedMotion: "reduce" },
    });
    const all: Record<string, string[]> = {};
    for (const shown of pages) {
      await show(page, shown);
      const found = await faults(page, `zoom-${shown.name}`, false);
      if (found.length > 0) all[shown.name] = found;
    }
    expect(all).toEqual({});
  });
});
