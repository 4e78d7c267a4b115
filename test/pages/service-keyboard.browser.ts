import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath } from "../support/browser.ts";
import type { Script } from "../support/model-server.ts";
import { openPageService, type PageService, putVideo } from "../support/page-service.ts";
import { makeShuffled, procedureModel, stepOf, wordsOf } from "../support/shuffled.ts";
import { tempFolder } from "../support/temp.ts";

const PLACES = [3, 1, 2, 4];
const answering: Script = async (request) => {
  const words = wordsOf(request);
  if (words.includes("was observed in a video")) return "It is stage two [E1].\nAnswer: B";
  if (words.includes("Describe part")) return "A field of one colour, which grows lighter.";
  return stepOf(request) === "other" ? "Answer: B" : procedureModel(PLACES)(request);
};

interface Question {
  id: string;
  asked: { text: string; options?: { text: string }[] };
  review: { verdict: string; answer: string | number[] } | null;
}

/** What has the focus: its text and label, and what is wrong with how it is shown. */
const FOCUS = `(() => {
  const node = document.activeElement;
  const label = node.labels?.[0]?.textContent ?? "";
  const name = [node.getAttribute("aria-label") ?? "", label, node.textContent ?? ""].join(" ").trim();
  const shows = (one) => {
    if (one === null) return false;
    const style = getComputedStyle(one);
    return (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
  };
  // A radio button that looks like a switch shows the focus on its label.
  const isShown = node === document.body || shows(node) || (node.matches("input[type=radio]") && shows(node.labels?.[0] ?? null));
  const box = node.getBoundingClientRect();
  const isInView = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  return {
    tag: node.localName,
    name,
    fault: isShown && (isInView || node === document.body) ? null : (isShown ? "out of view: " : "no focus ring: ") + node.outerHTML.slice(0, 120),
  };
})()`;
interface Focused {
  tag: string;
  name: string;
  fault: string | null;
}

describe.skipIf(chromiumPath === null)(
  "with the keyboard only, and the focus always visible",
  () => {
    let service: PageService;
    let video: string;
    beforeAll(async () => {
      service = await openPageService(answering);
      const file = join(await tempFolder(), "bowl.mp4");
      await makeShuffled(file, PLACES.length);
      video = await putVideo(service.url, "bowl.mp4", await readFile(file));
    });
    afterAll(() => service?.close());

    async function request<T>(path: string, body?: object): Promise<T> {
      const response = await fetch(`${service.url}/api/v1${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return (await response.json()) as T;
    }
    async function asked(question: object): Promise<string> {
      const { id } = await request<Question>(`/videos/${video}/questions`, question);
      await (await fetch(`${service.url}/api/v1/questions/${id}/events`)).text();
      return id;
    }
    async function opened(path: string, ready: string): Promise<Page> {
      const { page } = await service.open();
      await page.goto(`${service.url}/#/v/${video}${path}`);
      await page.locator(ready).first().waitFor();
      return page;
    }
    /** Presses Tab until the focus is on what has this tag and name. */
    async function tabTo(page: Page, tag: string, name: string): Promise<void> {
      const passed: string[] = [];
      for (let step = 0; step < 60; step++) {
        await page.keyboard.press("Tab");
        const focus = (await page.evaluate(FOCUS)) as Focused;
        expect(focus.fault).toBeNull();
        passed.push(`${focus.tag} ${focus.name.slice(0, 30)}`);
        if (focus.tag === tag && focus.name.includes(name)) return;
      }
      throw new Error(`Tab does not reach ${tag} ${name}: ${passed.join(" | ")}`);
    }

    test("a question is asked, and its answer marked as right", async () => {
      const page = await opened("", "form.ask");
      await tabTo(page, "textarea", "Question");
      await page.keyboard.type("Which stage is it?");
      await tabTo(page, "input", "Open");
      await page.keyboard.press("ArrowRight");
      await tabTo(page, "input", "Option A");
      await page.keyboard.type("Stage one");
      await tabTo(page, "input", "Option B");
      await page.keyboard.type("Stage two");
      await tabTo(page, "button", "Ask");
      await page.keyboard.press("Enter");
      await page.locator(".answer .verdict").waitFor();
      await tabTo(page, "button", "Right");
      await page.keyboard.press("Enter");
      await page.getByText("Marked as right.").first().waitFor();
      const { items } = await request<{ items: Question[] }>("/questions");
      expect(items).toMatchObject([
        {
          asked: {
            text: "Which stage is it?",
            options: [{ text: "Stage one" }, { text: "Stage two" }],
          },
          review: { verdict: "approved", answer: "B" },
        },
      ]);
    });

    test("an order is corrected, and two answers are compared", async () => {
      const id = await asked({ text: "", goal: "Finish the bowl" });
      const page = await opened(`/q/${id}`, ".verdict");
      await tabTo(page, "button", "Wrong, the answer is");
      await page.keyboard.press("Enter");
      await page.locator(".editable .tile").first().waitFor();
      const first = (await page.evaluate(FOCUS)) as Focused;
      expect([first.fault, first.name]).toEqual([null, expect.stringContaining("number 1 of 4")]);
      await page.keyboard.press("ArrowRight");
      await page.locator(".editable .tile:focus").filter({ hasText: "2. " }).waitFor();
      await tabTo(page, "button", "Save the right answer");
      await page.keyboard.press("Enter");
      await page.getByText("Wrong. The right answer").waitFor();
      const { review } = await request<Question>(`/questions/${id}`);
      expect(review).toMatchObject({ verdict: "corrected", answer: [3, 2, 1, 4] });

      await asked({ text: "", goal: "Finish the bowl", settings: { strategy: "direct" } });
      await page.reload();
      await page.locator(".verdict").first().waitFor();
      await tabTo(page, "select", "Compare with");
      await page.keyboard.press("ArrowDown");
      await page.locator(".agreement").waitFor();
      await tabTo(page, "a", "End the comparison");
    });

    test("in the review queue, an order is corrected on the storyboard", async () => {
      const { page } = await service.open();
      const id = await asked({ text: "", goal: "Finish the bowl again" });
      await page.goto(`${service.url}/#/review`);
      const heading = page.getByRole("heading", { name: "Order: Finish the bowl again" });
      for (let skipped = 0; skipped < 5; skipped++) {
        await page.locator(".queue article h2").waitFor();
        if (await heading.isVisible()) break;
        await page.getByRole("button", { name: "Skip" }).click();
        await page.waitForTimeout(300);
      }
      await tabTo(page, "button", "Wrong, the answer is");
      await page.keyboard.press("Enter");
      await tabTo(page, "li", "number 1 of 4");
      await page.keyboard.press("ArrowRight");
      await page.locator(".editable .tile:focus").filter({ hasText: "2. " }).waitFor();
      await tabTo(page, "button", "Save the right answer");
      await page.keyboard.press("Enter");
      await expect
        .poll(async () => (await request<Question>(`/questions/${id}`)).review)
        .toMatchObject({ verdict: "corrected", answer: [3, 2, 1, 4] });
    });
  },
);
