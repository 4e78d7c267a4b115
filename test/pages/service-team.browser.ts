import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeStudy } from "../../evals/human-study/make-study.ts";
import { readAnswers } from "../../evals/human-study/study-folder.ts";
import { readEvalSettings } from "../../evals/run/eval-settings.ts";
import { addKey } from "../../src/app/service/auth.ts";
import { NO_LIMITS } from "../../src/app/service/options.ts";
import { openStore } from "../../src/storage/open.ts";
import { checkPage, chromiumPath } from "../support/browser.ts";
import { makeClip } from "../support/clips.ts";
import { openPageService, type PageService, putVideo } from "../support/page-service.ts";
import { tempFolder } from "../support/temp.ts";

describe.skipIf(chromiumPath === null)("the pages of a team", () => {
  let service: PageService;
  let study: string;
  let ids: string[];

  beforeAll(async () => {
    const folder = await tempFolder();
    await mkdir(join(folder, "videos"));
    const file = await makeClip(join(folder, "videos"), "v.mp4", { frames: 50 });
    const data = join(folder, "questions.jsonl");
    const row = { video: "v.mp4", options: ["red", "blue"], answer: "A" };
    const samples = [
      { ...row, id: "a", question: "Which colour is first?" },
      { ...row, id: "b", question: "Which colour is last?" },
    ];
    await writeFile(data, samples.map((one) => JSON.stringify(one)).join("\n"));
    study = join(folder, "study");
    await makeStudy(readEvalSettings({ benchmark: "dataset", data }), study, {
      raters: ["rater-1"],
      per_item: 1,
      seed: 0,
    });
    service = await openPageService(() => "Answer: B", { human_study: study });
    const video = await putVideo(service.url, "a lesson.mp4", await readFile(file));
    const rows = ["What is x?", "What is y?"].map((question) => ({
      ...{ video, question, options: ["three", "four"], strategy: "direct" },
    }));
    const asked = await fetch(`${service.url}/api/v1/questions/bulk`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ rows }),
    });
    ids = ((await asked.json()) as { items: { id: string }[] }).items.map(({ id }) => id);
    for (const id of ids)
      await (await fetch(`${service.url}/api/v1/questions/${id}/events`)).text();
  });
  afterAll(() => service?.close());

  const ratings = async (id = "") => {
    const response = await fetch(`${service.url}/api/v1/questions/${id}/ratings`);
    return (await response.json()) as { question: { review: unknown }; items: object[] };
  };
  async function opened(hash: string, width = 1280): Promise<{ page: Page; violations: string[] }> {
    const { page, violations } = await service.open({ width });
    await page.goto(`${service.url}/${hash}`);
    return { page, violations };
  }

  test("answers are reviewed one after the other, with undo, and blind if wanted", async () => {
    const { page, violations } = await opened("#/");
    await page.getByRole("link", { name: "Review", exact: true }).click();
    await page.getByRole("heading", { name: "What is x?" }).waitFor();
    await page.getByLabel("Your name").fill("uma");
    await page.getByText("0 of 2 answers settled").waitFor();
    await page.getByRole("button", { name: "Right", exact: true }).click();
    await page.getByRole("heading", { name: "What is y?" }).waitFor();
    await page.getByRole("heading", { name: "What is y?" }).and(page.locator(":focus")).waitFor();
    expect((await ratings(ids[0])).question.review).toMatchObject({
      verdict: "approved",
      by: "uma",
    });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { name: "What is x?" }).waitFor();
    expect((await ratings(ids[0])).question.review).toBeNull();

    await page.getByLabel("Hide the answer until I gave mine").check();
    await page.getByText("Answer:").waitFor({ state: "detached" });
    await page.getByLabel("(A) three").check();
    await page.getByLabel("Note").fill("it is written");
    await page.getByRole("button", { name: "Save my answer" }).click();
    await page.getByRole("heading", { name: "What is y?" }).waitFor();
    expect((await ratings(ids[0])).items.at(-1)).toMatchObject({
      // She has seen the answer before.
      ...{ rater: "uma", verdict: "corrected", answer: "A", blind: false, note: "it is written" },
      seconds: expect.any(Number),
    });
    expect(await checkPage(page, "review-queue")).toEqual([]);
    await page.getByRole("button", { name: "Skip" }).click();
    await page.getByText("That was the last one.").waitFor();
    await page.getByRole("button", { name: "Show the skipped ones" }).click();
    await page.getByLabel("(B) four").check();
    await page.getByRole("button", { name: "Save my answer" }).click();
    await page.getByText("No answer waits for your review.").waitFor();
    expect((await ratings(ids[1])).items.at(-1)).toMatchObject({
      verdict: "approved",
      blind: true,
    });
    expect(violations).toEqual([]);
  });

  test("a rater answers a study, and usage is shown", async () => {
    const { page, violations } = await opened("#/study", 390);
    await page.getByLabel("Your name").fill("rater-1");
    await page.keyboard.press("Tab");
    await page.getByRole("heading", { name: "Which colour is" }).waitFor();
    expect(await checkPage(page, "study-phone")).toEqual([]);
    const save = page.getByRole("button", { name: "Save and go on" });
    await page.getByLabel("blue").check();
    await save.click();
    await page.getByText("1 of 2 answered").waitFor();
    // The answer arrives, its response does not.
    await page.route("**/human-study/answers", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByLabel("blue").check();
    await save.click();
    await page.getByText("it is unknown whether the request arrived").waitFor();
    await page.unroute("**/human-study/answers");
    await save.click();
    await page.getByText("All questions are answered.").waitFor();
    const { answers } = await readAnswers(study);
    expect(answers.map(({ rater, sample }) => `${rater} ${sample}`).sort()).toEqual([
      "rater-1 a",
      "rater-1 b",
    ]);
    await page.goto(`${service.url}/#/usage`);
    await page.getByRole("heading", { name: "Usage" }).waitFor();
    await page.getByLabel("Rows").selectOption("strategy");
    await page.getByRole("rowheader", { name: "direct" }).waitFor();
    expect(await checkPage(page, "usage-phone")).toEqual([]);
    expect(violations).toEqual([]);
  });
});

describe.skipIf(chromiumPath === null)("the page of the keys", () => {
  let service: PageService;
  let own: string;
  beforeAll(async () => {
    const data = await tempFolder();
    const store = await openStore(data);
    own = await addKey(store.service, "olga", NO_LIMITS, ["operate"]);
    await store.close();
    service = await openPageService(() => "A", { data, auth: { by: "keys" } });
  });
  afterAll(() => service?.close());

  test("an operator makes a key with a role, sees it once, and removes it", async () => {
    const { page, violations } = await service.open({ width: 390 });
    await page.request.post(`${service.url}/api/v1/session`, { data: { token: own } });
    await page.goto(service.url);
    await page.getByRole("link", { name: "Team" }).click();
    await page.getByLabel("Name of the person or program").fill("rita");
    await page.getByRole("checkbox", { name: /^Ask/ }).uncheck();
    await page.getByRole("checkbox", { name: /^Review/ }).check();
    await page.getByRole("button", { name: "Create the key" }).click();
    const secret = String(await page.locator(".secret").textContent());
    const asRita = () =>
      fetch(`${service.url}/api/v1/service`, { headers: { authorization: `Bearer ${secret}` } });
    expect(await (await asRita()).json()).toMatchObject({ caller: "rita", roles: ["review"] });
    expect(await checkPage(page, "team-phone")).toEqual([]);
    await page.getByRole("button", { name: "I have stored it" }).click();
    await page.getByRole("button", { name: "Remove the key of rita" }).click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("rowheader", { name: "rita" }).waitFor({ state: "detached" });
    expect((await asRita()).status).toBe(401);
    expect(violations).toEqual([]);
  });
});
