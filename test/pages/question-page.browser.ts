import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { chromiumPath } from "../support/browser.ts";
import type { SeenRequest } from "../support/model-server.ts";
import { openPageService, type PageService, putVideo } from "../support/page-service.ts";
import { describeShared, sharedFile } from "../support/shared.ts";
import { makeShuffled, wordsOf } from "../support/shuffled.ts";
import { tempFolder } from "../support/temp.ts";

const OPTIONS = ["A red field", "A green field", "A blue field"];

/** Describes each part by its number, and answers A from the second. */
function answering(request: SeenRequest): string {
  const words = wordsOf(request);
  if (words.includes("was observed in a video")) return "It is red [E2].\nAnswer: A";
  const part = /Describe part (\d+)/.exec(words)?.[1];
  return `Part ${part} is a field of one colour.`;
}

interface Question {
  id: string;
  state: string;
}

describe.skipIf(chromiumPath === null)("the page of a question", () => {
  let service: PageService;
  let video: string;
  beforeAll(async () => {
    service = await openPageService(answering);
    const file = join(await tempFolder(), "fields.mp4");
    await makeShuffled(file, 4);
    video = await putVideo(service.url, "fields.mp4", await readFile(file));
  });
  afterAll(() => service?.close());
  beforeEach(() => service.models.answer(answering));

  async function request<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${service.url}/api/v1${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as T;
  }
  /** Asks like a program, and waits for the end. */
  async function asked(text: string, more: object = { options: OPTIONS }): Promise<Question> {
    const { id } = await request<Question>("POST", `/videos/${video}/questions`, { text, ...more });
    const state = async () => (await request<Question>("GET", `/questions/${id}`)).state;
    await expect.poll(state).not.toMatch(/queued|running/);
    return request<Question>("GET", `/questions/${id}`);
  }
  async function opened(questions: readonly Question[], window = {}): Promise<Page> {
    const { page } = await service.open(window);
    const [first, ...others] = questions.map(({ id }) => id);
    const vs = others.length === 0 ? "" : `/vs/${others.join("/")}`;
    await page.goto(`${service.url}/#/v/${video}/q/${first}${vs}`);
    await page.locator(".verdict").first().waitFor();
    return page;
  }
  const card = (page: Page, name: string) => page.locator(`li.card[data-name=${name}]`);

  test("of two people who edit one item, the second keeps the draft, sees both versions and merges them", async () => {
    const question = await asked("Who edits first?");
    const [one, two] = [await opened([question]), await opened([question])];
    await two.getByRole("button", { name: "Edit E2" }).click();
    await two.getByLabel("Words").fill("A red wall.");
    await one.getByRole("button", { name: "Edit E2" }).click();
    await one.getByLabel("Words").fill("A red field, seen from above.");
    await one.keyboard.press("Enter");
    await card(one, "E2").locator("del").waitFor();
    // An edit of another item is no conflict.
    await two.getByRole("button", { name: "Reject E3" }).click();
    await card(two, "E3").locator("del").waitFor();
    const conflict = card(two, "E2").locator(".conflict");
    await conflict.getByText("A red field, seen from above.").waitFor();
    expect(await two.getByLabel("Words").inputValue()).toBe("A red wall.");
    await two.reload();
    expect(await two.getByLabel("Words").inputValue()).toBe("A red wall.");
    await conflict.getByRole("button", { name: "Merge both texts" }).click();
    await two.getByRole("button", { name: "Save my version" }).click();
    await card(two, "E2").getByText("A red field, seen from above.\nA red wall.").waitFor();
    expect(await two.locator(".conflict").count()).toBe(0);
  });

  test("an answer keeps what it rests on, no two items have one name, and the bar covers no verdict", async () => {
    const question = await asked("What does it rest on?");
    const page = await opened([question], { width: 390, height: 844 });
    const citation = page.locator(".citation");
    const before = await citation.getAttribute("title");
    await page.getByRole("button", { name: "Reject E1" }).click();
    await page.getByRole("button", { name: "Edit E2" }).click();
    await page.getByLabel("Words").fill("Green.");
    await page.keyboard.press("Enter");
    await citation.getByText("corrected since").waitFor();
    expect(await citation.getAttribute("title")).toBe(before);
    const names = await page
      .locator("li.card")
      .evaluateAll((all: { dataset: { name: string } }[]) =>
        all.map(({ dataset }) => dataset.name),
      );
    expect(names.sort()).toEqual([...new Set(names)].sort());
    await page.evaluate("scrollTo(0, 0)");
    const bar = await page.locator(".pending").boundingBox();
    const verdict = await page.locator(".answer").boundingBox();
    if (bar === null || verdict === null) throw new Error("Nothing is shown.");
    expect(bar.y).toBeGreaterThanOrEqual(verdict.y + verdict.height);
    await page.setViewportSize({ width: 1440, height: 900 });
    expect((await page.locator(".answer").boundingBox())?.y).toBeLessThan(300);
  });

  test("a review asks whether the answer is right, and chooses no answer for the person", async () => {
    const page = await opened([await asked("Is it right?")]);
    const review = page.getByRole("group", { name: "Review" });
    await review.getByRole("button", { name: "Wrong, the answer is …" }).click();
    expect(await review.locator("input:checked").count()).toBe(0);
    expect(await review.locator("label").allTextContents()).not.toContain(`(A) ${OPTIONS[0]}`);
    await review.getByLabel(`(B) ${OPTIONS[1]}`).check();
    await review.getByRole("button", { name: "Save the right answer" }).click();
    await page.getByText(`Wrong. The right answer: (B) ${OPTIONS[1]}`).waitFor();
    await review.getByRole("button", { name: "Right", exact: true }).click();
    await page.getByText("Marked as right.").first().waitFor();
  });

  test("what has no answer is not called answered, and is not approved", async () => {
    service.models.answer((seen) =>
      wordsOf(seen).includes("was observed") ? "NOT ANSWERED" : answering(seen),
    );
    const page = await opened([await asked("Who is it?", {})]);
    expect(await page.locator(".state").textContent()).toBe("Not answered");
    expect(await page.locator(".verdict").textContent()).toBe(
      "Not answered: the evidence contains no answer.",
    );
    await page.getByText("Do you know the answer?").waitFor();
    expect(await page.getByRole("button", { name: "Right", exact: true }).count()).toBe(0);
    service.models.answer(() => ({ status: 400, text: "no such deployment" }));
    const failed = await opened([
      await asked("Does it fail?", { settings: { strategy: "direct" } }),
    ]);
    expect(await failed.locator(".state").textContent()).toBe("Failed");
    expect(await failed.getByText("No evidence was found").count()).toBe(0);
    expect(await failed.getByRole("button", { name: "Right", exact: true }).count()).toBe(0);
  });

  test("late animation frames change no mark, and the times of the stages stay", async () => {
    const { page } = await service.open();
    await page.addInitScript(
      "const frame = requestAnimationFrame; window.requestAnimationFrame = (run) => setTimeout(() => frame(run), 1500)",
    );
    await page.goto(`${service.url}/#/v/${video}`);
    await page.getByLabel("Question", { exact: true }).fill("What is late?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator(".answer .verdict").waitFor();
    await page.waitForTimeout(2000);
    const mark = page.locator(".mark.cited");
    expect(await mark.getAttribute("aria-label")).toMatch(/^E2, caption, .*, cited/);
    const row = page.locator(".how tbody tr").filter({ hasText: "Describe clips" });
    expect(await row.locator("td").first().textContent()).toMatch(/^\d+\.\d s$/);
    await page.getByText("Every call: prompt, pictures, reply").click();
    await page.locator(".calls summary").filter({ hasText: "Describe clips" }).first().click();
    await page.locator(".calls pre").getByText("Describe part").first().waitFor();
    await page.locator(".calls img").first().waitFor();
    await page.locator(".calls pre").getByText("is a field of one colour").first().waitFor();
  });

  test("a comparison says first whether the answers agree, shows the options once, and names each lane", async () => {
    const first = await asked("Which field is it?");
    service.models.answer((seen) => answering(seen).replace("Answer: A", "Answer: C"));
    const again = { options: OPTIONS, settings: { "reasoning.temperature": 0.5 } };
    const second = await asked("Which field is it?", again);
    const third = await asked("Which field is it?", {
      options: OPTIONS,
      settings: { strategy: "direct" },
    });
    const page = await opened([first, second, first, third], { width: 1440, height: 900 });
    await page.locator(".agreement").getByText("The answers differ.").waitFor();
    const names = await page.locator(".answers thead th").allTextContents();
    expect(names).toHaveLength(3);
    expect(new Set(names).size).toBe(3);
    expect(await page.locator(".lane-name").allTextContents()).toEqual(names);
    expect(await page.getByText(OPTIONS[1] ?? "", { exact: true }).count()).toBe(1);
    const verdict = await page.locator(".answers .verdict").first().boundingBox();
    expect((verdict?.y ?? 900) + (verdict?.height ?? 0)).toBeLessThan(450);
    // At 200 %, and on wide and narrow windows, nothing is wider than the window.
    for (const width of [390, 720, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    }
    await page.getByRole("link", { name: `Remove ${names[2]} from the comparison` }).click();
    await expect.poll(() => page.locator(".answers thead th").count()).toBe(2);
  });

  describeShared("with a real video", () => {
    test("the transcript follows the player, is searched, and is corrected in place", async () => {
      const webb = await readFile(sharedFile("media/videos/nasa_webb_subs.mp4"));
      const spoken = await putVideo(service.url, "webb.mp4", webb);
      const made = { text: "Where is it?", settings: { strategy: "extractive" } };
      const { id } = await request<Question>("POST", `/videos/${spoken}/questions`, made);
      const { page } = await service.open({ width: 1440 });
      await page.goto(`${service.url}/#/v/${spoken}/q/${id}`);
      const lines = page.locator(".transcript .line");
      await expect.poll(() => lines.count()).toBe(4);
      await page.getByLabel("Search the transcript").fill("goddard");
      await expect.poll(() => lines.count()).toBe(1);
      expect(await lines.locator("mark").textContent()).toBe("Goddard");
      await lines.getByRole("button", { name: /Goddard/ }).click();
      const time = () =>
        page.locator("video").evaluate((player: { currentTime: number }) => player.currentTime);
      await expect.poll(time).toBeGreaterThan(7);
      await expect.poll(() => lines.getAttribute("class")).toContain("now");
      await lines.getByRole("button", { name: /^Correct/ }).click();
      await page.getByLabel("Words").fill("at the Goddard Space Flight Center");
      await page.keyboard.press("Enter");
      await lines.getByText("at the Goddard Space Flight Center").waitFor();
      await page.locator(".cards").getByText("at the Goddard Space Flight Center").waitFor();
    });
  });
});
