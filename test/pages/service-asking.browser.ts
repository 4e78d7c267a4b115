import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { chromiumPath } from "../support/browser.ts";
import type { SeenRequest } from "../support/model-server.ts";
import { openPageService, type PageService, putVideo } from "../support/page-service.ts";
import { makeShuffled, wordsOf } from "../support/shuffled.ts";
import { tempFolder } from "../support/temp.ts";

const ASK = /\/videos\/[^/]+\/questions$/;
const REASON_AGAIN = /\/reason-again$/;

function answering(request: SeenRequest): string {
  return wordsOf(request).includes("was observed in a video")
    ? "It is red [E1].\nAnswer: A"
    : "A field of one colour.";
}

interface Question {
  id: string;
  from: string | null;
  asked: { text: string };
}

describe.skipIf(chromiumPath === null)("a question is asked once", () => {
  let service: PageService;
  let video: string;
  beforeAll(async () => {
    service = await openPageService(answering);
    const file = join(await tempFolder(), "fields.mp4");
    await makeShuffled(file, 2);
    video = await putVideo(service.url, "fields.mp4", await readFile(file));
  });
  afterAll(() => service?.close());
  beforeEach(() => service.models.answer(answering));

  /** The stored questions with this text, the newest first. */
  async function stored(text: string): Promise<Question[]> {
    const response = await fetch(`${service.url}/api/v1/questions?video=${video}&limit=200`);
    const { items } = (await response.json()) as { items: Question[] };
    return items.filter(({ asked }) => asked.text === text);
  }
  /** A page with the form of a question filled in. */
  async function filled(text: string): Promise<Page> {
    const { page } = await service.open();
    await page.goto(`${service.url}/#/v/${video}`);
    await page.getByLabel("Strategy", { exact: true }).selectOption("extractive");
    await page.getByLabel("Question", { exact: true }).fill(text);
    return page;
  }
  /** A page with a question that was asked by the API and has ended. */
  async function ended(text: string): Promise<Page> {
    const asked = await fetch(`${service.url}/api/v1/videos/${video}/questions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text, options: ["A red field", "A green field"] }),
    });
    const { id } = (await asked.json()) as Question;
    await (await fetch(`${service.url}/api/v1/questions/${id}/events`)).text();
    const { page } = await service.open();
    await page.goto(`${service.url}/#/v/${video}/q/${id}`);
    return page;
  }
  /** The requests of a page to this path, whose numbers count from 1. */
  async function watched(page: Page, path: RegExp, answer: (route: Route, n: number) => unknown) {
    const seen: Route[] = [];
    await page.route(path, async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      await answer(route, seen.push(route));
    });
    return seen;
  }
  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const lost = (page: Page) =>
    page.getByText("it is unknown whether the request arrived").waitFor();
  /** The request arrives, its response does not. */
  async function lose(route: Route): Promise<void> {
    await route.fetch();
    await route.abort();
  }
  function hold() {
    let go = () => {};
    const held = new Promise<void>((done) => {
      go = done;
    });
    return { held, go: () => go() };
  }

  test("Ctrl+Enter pressed again while it is asked asks nothing more", async () => {
    const text = "Which colour is pressed twice?";
    const page = await filled(text);
    const { held, go } = hold();
    const sent = await watched(page, ASK, async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.press("Control+Enter");
    await expect.poll(() => sent.length).toBe(1);
    await page.keyboard.press("Control+Enter");
    await page.waitForTimeout(200);
    go();
    await page.waitForURL(/\/q\//);
    expect([sent.length, (await stored(text)).length]).toEqual([1, 1]);
  });

  test("after a second strategy was refused, only that one is asked", async () => {
    const text = "Which colour do two strategies name?";
    const page = await filled(text);
    await page.getByLabel("Ask a second strategy too").check();
    await page.getByLabel("Strategy", { exact: true }).last().selectOption("direct");
    const json = { status: 429, kind: "in-flight", detail: "Too many questions are open." };
    await watched(page, ASK, (route, n) =>
      n === 2 ? route.fulfill({ status: 429, json }) : route.continue(),
    );
    await button(page, "Ask").click();
    await page.getByText(json.detail).waitFor();
    const [first] = await stored(text);
    await button(page, "Ask").click();
    await page.waitForURL(/\/vs\//);
    const made = await stored(text);
    expect(made.map(({ id }) => id)).toEqual([expect.any(String), first?.id]);
    expect(page.url()).toContain(`/q/${first?.id}/vs/${made[0]?.id}`);
  });

  test("two strategies with equal settings are two questions", async () => {
    const text = "Which colour is asked for twice?";
    const page = await filled(text);
    await page.getByLabel("Ask a second strategy too").check();
    await page.getByLabel("Strategy", { exact: true }).last().selectOption("extractive");
    await button(page, "Ask").click();
    await page.waitForURL(/\/vs\//);
    expect(await stored(text)).toHaveLength(2);
  });

  test("after a lost response the page says that nothing is known, and asking again, also after a reload, asks nothing new", async () => {
    const text = "Which colour is lost?";
    const page = await filled(text);
    await watched(page, ASK, (route, n) => (n === 1 ? lose(route) : route.continue()));
    await button(page, "Ask").click();
    await lost(page);
    await page.reload();
    await button(page, "Ask").click();
    await page.waitForURL(/\/q\//);
    expect(await stored(text)).toHaveLength(1);
    // The same words, written again, are another question.
    await page.goto(`${service.url}/#/v/${video}`);
    await page.getByLabel("Question", { exact: true }).fill(text);
    await button(page, "Ask").click();
    await page.waitForURL(/\/q\//);
    expect(await stored(text)).toHaveLength(2);
  });

  test("reasoning again is asked once for the same evidence, by a second key press and after a lost response", async () => {
    const text = "Which colour is reasoned about again?";
    const page = await ended(text);
    const edit = async (words: string) => {
      await button(page, "Edit E1").click();
      await page.getByRole("textbox", { name: "Words" }).fill(words);
      await page.keyboard.press("Enter");
      await page.locator("li.card").filter({ hasText: words }).locator("del").waitFor();
    };
    await edit("A green field.");
    const { held, go } = hold();
    const sent = await watched(page, REASON_AGAIN, async (route, n) => {
      if (n === 1) return lose(route);
      await held;
      return route.continue();
    });
    await button(page, "Reason again").click();
    await lost(page);
    await page.keyboard.press("r");
    await expect.poll(() => sent.length).toBe(2);
    await page.keyboard.press("r");
    expect(await button(page, "Reason again").isDisabled()).toBe(true);
    const address = page.url();
    go();
    await expect.poll(() => page.url()).not.toBe(address);
    expect(sent).toHaveLength(2);
    expect((await stored(text)).map(({ from }) => from)).toEqual([expect.any(String), null]);

    await page.goBack();
    await edit("A blue field.");
    await button(page, "Reason again").click();
    await expect.poll(() => page.url()).not.toBe(address);
    expect(await stored(text)).toHaveLength(3);
  });

  test("a failed question is asked again once, by a double click and after a lost response", async () => {
    const text = "Which colour cannot be told?";
    service.models.answer(() => ({ status: 400, text: "no such deployment" }));
    const page = await ended(text);
    service.models.answer(answering);
    const sent = await watched(page, ASK, (route, n) => (n === 1 ? lose(route) : route.continue()));
    await button(page, "Ask again").dblclick();
    await lost(page);
    const address = page.url();
    await button(page, "Ask again").click();
    await expect.poll(() => page.url()).not.toBe(address);
    expect([sent.length, (await stored(text)).length]).toEqual([2, 2]);
  });
});
