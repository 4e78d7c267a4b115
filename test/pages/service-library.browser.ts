import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkPage, chromiumPath } from "../support/browser.ts";
import { makeClip } from "../support/clips.ts";
import { openPageService, type PageService, putVideo } from "../support/page-service.ts";
import { tempFolder } from "../support/temp.ts";

/** More than a page of the list. */
const VIDEOS = 56;
const CUES = "1\n00:00:01,000 --> 00:00:02,000\nThe launch window opens on Friday.\n";

describe.skipIf(chromiumPath === null)("the library of the page", () => {
  let service: PageService;
  let ids: string[];
  let bytes: Buffer;
  beforeAll(async () => {
    service = await openPageService(() => "A test card [E1].\nAnswer: a test card");
    bytes = await readFile(await makeClip(await tempFolder(), "clip.mp4", { frames: 60 }));
    ids = [];
    for (let n = 1; n <= VIDEOS; n++)
      ids.push(await putVideo(service.url, `Lesson ${String(n).padStart(2, "0")}.mp4`, bytes));
  });
  afterAll(() => service?.close());

  const names = (page: Page) => page.locator(".video .name").allTextContents();
  const card = (page: Page, name: string) => page.locator(".video").filter({ hasText: name });

  test("a long list is read in pages, sorted, filtered by tag, renamed, deleted together, and where it was after Back", async () => {
    const { page, violations } = await service.open();
    await page.goto(service.url);
    await page.getByText(`${VIDEOS} videos`, { exact: true }).waitFor();
    expect((await names(page))[0]).toBe(`Lesson ${VIDEOS}.mp4`);
    await page.getByLabel("Sort by").selectOption("name");
    await expect.poll(async () => (await names(page))[0]).toBe("Lesson 01.mp4");
    await page.mouse.wheel(0, 100_000);
    await expect.poll(async () => (await names(page)).length).toBe(VIDEOS);

    const last = card(page, `Lesson ${VIDEOS}.mp4`);
    await last.scrollIntoViewIfNeeded();
    await expect.poll(() => page.evaluate("scrollY")).toBeGreaterThan(500);
    const before = Number(await page.evaluate("scrollY"));
    await last.getByRole("link").click();
    await page.locator("form.ask").waitFor();
    expect(await page.evaluate("scrollY")).toBe(0);
    await page.goBack();
    await last.waitFor();
    expect((await names(page)).length).toBe(VIDEOS);
    expect(Math.abs(Number(await page.evaluate("scrollY")) - before)).toBeLessThan(40);

    await last.getByRole("button", { name: /^Rename/ }).click();
    await page.keyboard.type("Launch of a rocket.mp4");
    await page.keyboard.press("Enter");
    const renamed = card(page, "Launch of a rocket.mp4");
    await renamed.waitFor();
    expect(await page.evaluate("document.activeElement.ariaLabel")).toMatch(/^Rename Launch/);
    await renamed.getByRole("button", { name: /^Tags of/ }).click();
    await page.keyboard.type("space, 2026");
    await page.keyboard.press("Enter");
    await renamed.getByRole("button", { name: "Show videos with the tag space" }).click();
    await page.getByText("1 video found").waitFor();
    expect(await names(page)).toEqual(["Launch of a rocket.mp4"]);
    await page.reload();
    await page.getByText("1 video found").waitFor();
    await page.getByLabel("Tag", { exact: true }).selectOption("");

    await page.getByRole("button", { name: "Select", exact: true }).click();
    await page.getByLabel("Select Lesson 01.mp4").check();
    await page.getByLabel("Select Lesson 02.mp4").check();
    await page.getByRole("button", { name: "Delete selected" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText(`${VIDEOS - 2} videos`, { exact: true }).waitFor();
    expect(await names(page)).not.toContain("Lesson 01.mp4");
    expect(violations).toEqual([]);
  });

  test("after a page of the list could not be read, only a press asks for it again", async () => {
    const { page, violations } = await service.open();
    let refused = 500;
    let asked = 0;
    await page.route(/\/videos\?.*cursor=/, (route) => {
      asked++;
      const detail = "The list cannot be read.";
      return refused === 0
        ? route.continue()
        : route.fulfill({ status: refused, json: { status: refused, detail } });
    });
    await page.goto(service.url);
    await page.locator(".video").first().waitFor();
    await page.mouse.wheel(0, 100_000);
    const problem = page.getByText("The list cannot be read.");
    await problem.waitFor();
    await page.waitForTimeout(500);
    expect(asked).toBe(1);

    refused = 401;
    const load = page.getByRole("button", { name: "Load more" });
    await load.click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.waitForTimeout(500);
    expect([asked, await page.getByRole("dialog").count()]).toEqual([2, 0]);

    refused = 0;
    await load.click();
    await load.waitFor({ state: "detached" });
    expect((await names(page)).length).toBeGreaterThan(50);
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(violations).toEqual([]);
  });

  test("a pause in a search keeps the space before the next word, and a link to the list ends it", async () => {
    const { page, violations } = await service.open();
    await page.goto(service.url);
    const all = String(await page.getByText(/^\d+ videos$/).textContent());
    const box = page.getByLabel("Search the library");
    await box.pressSequentially("Lesson ");
    await page.waitForURL(/\?q=Lesson$/);
    await box.pressSequentially("07");
    await page.waitForURL(/\?q=Lesson\+07$/);
    expect(await box.inputValue()).toBe("Lesson 07");
    await page.getByRole("link", { name: "Videos", exact: true }).click();
    await page.getByText(all, { exact: true }).waitFor();
    expect(await box.inputValue()).toBe("");
    await box.fill("Lesson 08");
    await page.waitForURL(/\?q=Lesson\+08$/);
    await page.getByRole("link", { name: "video-rrd" }).click();
    await page.getByText(all, { exact: true }).waitFor();
    await page.goBack();
    await expect.poll(() => box.inputValue()).toBe("Lesson 08");
    await expect.poll(() => names(page)).toEqual(["Lesson 08.mp4"]);

    await page.getByRole("link", { name: "Questions", exact: true }).click();
    const state = page.getByLabel("State");
    await state.selectOption("failed");
    await page.waitForURL(/\?state=failed$/);
    await page.getByRole("link", { name: "Questions", exact: true }).click();
    await expect.poll(() => state.inputValue()).toBe("");
    expect(violations).toEqual([]);
  });

  test("words lead to the second where they were said; a list shows what others do", async () => {
    const { page, violations } = await service.open();
    const [, , third = ""] = ids;
    await page.goto(`${service.url}/#/v/${third}`);
    await page
      .getByLabel("Subtitle file")
      .setInputFiles({ name: "a.srt", mimeType: "text/plain", buffer: Buffer.from(CUES) });
    await page.getByText("your file with 1 line").waitFor();
    await page.getByLabel("Strategy", { exact: true }).selectOption("extractive");
    await page.getByText("No model call, free").waitFor();
    await page.getByLabel("Question", { exact: true }).fill("When does the launch window open?");
    await page.reload();
    expect(await page.getByLabel("Question", { exact: true }).inputValue()).toMatch(/^When does/);
    expect(await page.getByLabel("Strategy", { exact: true }).inputValue()).toBe("extractive");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator(".answer").waitFor();

    await page.getByRole("link", { name: "Videos", exact: true }).click();
    await expect
      .poll(async () => {
        await page.getByLabel("Search the library").fill("");
        await page.getByLabel("Search the library").fill("launch window");
        await page.keyboard.press("Enter");
        return page
          .locator(".hit")
          .first()
          .waitFor({ timeout: 2000 })
          .then(() => true)
          .catch(() => false);
      })
      .toBe(true);
    expect(await page.locator(".hit mark").allTextContents()).toEqual(["launch", "window"]);
    expect(await page.getByText("0 videos", { exact: true }).count()).toBe(1);
    expect(await page.getByText("0 videos found").count()).toBe(0);
    for (const [width, scheme] of [
      [390, "dark"],
      [768, "light"],
      [1440, "light"],
      [1920, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme });
      expect(await checkPage(page, `library-search-${width}-${scheme}`)).toEqual([]);
    }
    await page.locator(".hit").first().click();
    await page.waitForURL(/\?t=1&q=launch\+window$/);
    const moment = page.getByRole("region", { name: "Found at 00:01" });
    await moment.waitFor();
    expect(await moment.locator(".found mark").allTextContents()).toEqual(["launch", "window"]);
    await moment.getByText("1 of 1 with “launch window”").waitFor();
    await moment.locator("img").evaluate((img: { decode(): Promise<void> }) => img.decode());
    expect(await checkPage(page, "library-moment")).toEqual([]);
    await expect
      .poll(() => page.evaluate("document.querySelector('video').currentTime"))
      .toBeCloseTo(1, 1);

    await page.getByRole("link", { name: "Questions", exact: true }).click();
    await page.getByText("1 question", { exact: true }).waitFor();
    await page.getByLabel("State").selectOption("failed");
    await page.getByText("No question matches these filters.").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByText("1 question", { exact: true }).waitFor();
    expect(await checkPage(page, "questions")).toEqual([]);
    await fetch(`${service.url}/api/v1/videos/${third}/questions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: "Who asks?", settings: { strategy: "extractive" } }),
    });
    await page.getByText("2 questions", { exact: true }).waitFor();
    expect(violations).toEqual([]);
  });

  test("a follow-up is told of the question before it, and the thread is shown in order", async () => {
    const { page, violations } = await service.open();
    await page.goto(`${service.url}/#/v/${ids[3]}`);
    await page.getByLabel("Strategy", { exact: true }).selectOption("direct");
    await page.getByText(/^1 call/).waitFor();
    await page.getByLabel("Question", { exact: true }).fill("What is shown?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator(".answer .verdict").waitFor();
    service.models.reset();
    await page.getByText("Ask a follow-up question").click();
    await page.getByLabel("Follow-up question").fill("Which colours has it?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    const thread = page.getByRole("navigation", { name: "Thread" });
    await thread.waitFor();
    await expect.poll(() => thread.getByRole("link").allTextContents()).toHaveLength(2);
    await expect.poll(() => service.models.chats().length).toBe(1);
    expect(service.models.chats()[0]?.texts.join()).toContain(
      "Question 1: What is shown?\nAnswer 1: ",
    );
    expect(await thread.getByRole("link").allTextContents()).toEqual([
      expect.stringContaining("What is shown?"),
      expect.stringContaining("Which colours has it?"),
    ]);
    await thread.getByRole("link").first().click();
    await expect.poll(() => page.locator("h2").first().textContent()).toContain("What is shown?");
    expect(violations).toEqual([]);
  });

  test("the questions of a table are checked, asked at once, and exported", async () => {
    const { page, violations } = await service.open();
    await page.goto(`${service.url}/#/questions`);
    await page.getByText("Ask from a table").click();
    const table = [
      "video,question",
      "Lesson 10.mp4,What is on the card?",
      "Lesson 11.mp4,Which colours are shown?",
      "Lesson 999.mp4,What is missing?",
    ].join("\n");
    await page
      .getByLabel("Table of questions")
      .setInputFiles({ name: "week.csv", mimeType: "text/csv", buffer: Buffer.from(table) });
    await page.getByText("week.csv: 2 questions can be asked, 1 error found.").waitFor();
    await page.getByText(/^row 3, column video: .*Lesson 999/).waitFor();
    await page.getByRole("button", { name: "Ask 2 questions" }).click();
    await page.getByRole("link", { name: /What is on the card/ }).waitFor();
    await page.getByText("Export", { exact: true }).click();
    const link = page.getByRole("link", { name: "Table (CSV)" });
    const exported = await page.request.get(
      new URL(String(await link.getAttribute("href")), service.url).href,
    );
    expect(await exported.text()).toContain("Which colours are shown?");
    expect(violations).toEqual([]);
  });
});
