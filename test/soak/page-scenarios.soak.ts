import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath } from "../support/browser.ts";
import { lessonModel, makeLessons, SECOND_LINE_S } from "../support/lessons.ts";
import { openPageService, type PageService, putVideo } from "../support/page-service.ts";
import { Person } from "../support/person.ts";
import { TaskTimes } from "../support/task-times.ts";
import { tempFolder } from "../support/temp.ts";

/*
 * Ten tasks of a new user, done in a browser by what the page shows. Prints how many actions each took, the seconds that
 * the service and the page took, and with them those that a person needs to think and move.
 */

const DAYS = ["Monday", "Friday"];
const ANSWERS = 30;
/** How many of the thirty are wrong. */
const WRONG = 6;

describe.skipIf(chromiumPath === null)("tasks of a new user", () => {
  const times = new TaskTimes();
  let service: PageService;
  let folder: string;
  let films: { name: string; bytes: Buffer }[];
  const videos = new Map<string, string>();

  beforeAll(async () => {
    folder = await tempFolder();
    films = await makeLessons(folder);
    service = await openPageService(lessonModel);
    for (const { name, bytes } of films) videos.set(name, await putVideo(service.url, name, bytes));
    // What is said can be found once a question was asked.
    for (const name of videos.keys())
      if (name.includes("lesson"))
        await asked(name, { text: `What is ${name} about?`, settings: { strategy: "extractive" } });
  });
  afterAll(async () => {
    await service?.close();
    times.print();
  });

  async function request<T>(method: string, path: string, body: object): Promise<T> {
    const response = await fetch(`${service.url}/api/v1${path}`, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status, path).toBeLessThan(300);
    return (await response.json()) as T;
  }
  const ended = async (id: string) =>
    (await fetch(`${service.url}/api/v1/questions/${id}/events`)).text();
  /** Asks like a program, and waits for the end. */
  async function asked(name: string, body: object): Promise<string> {
    const path = `/videos/${videos.get(name)}/questions`;
    const { id } = await request<{ id: string }>("POST", path, body);
    await ended(id);
    return id;
  }
  const launch = (text: string) => asked("Thursday lesson.mp4", { text, options: DAYS });

  async function arrive(at: PageService = service): Promise<Person> {
    const { page } = await at.open({ width: 1440, reducedMotion: "reduce" });
    page.setDefaultTimeout(20_000);
    await page.goto(at.url);
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    return new Person(page);
  }
  /** From the start page to a question, as the person finds it. */
  async function openQuestion(person: Person, video: string, words: string): Promise<void> {
    const { page } = person;
    await person.click(page.getByRole("link", { name: video }).first());
    await person.click(page.getByRole("link", { name: words }).first());
    await person.see(page.getByRole("group", { name: "Answer", exact: true }));
  }
  async function scenario(
    name: string,
    run: (person: Person) => Promise<void>,
    at?: PageService,
  ): Promise<void> {
    const person = await arrive(at);
    await times.time(name, person, run);
    await person.page.context().close();
  }

  test("find a moment in last week's videos", () =>
    scenario("find a moment", async (person) => {
      const { page } = person;
      await person.fill(page.getByLabel("Search the library"), "dark rock");
      await person.click(page.getByRole("link", { name: /Wednesday lesson.*Basalt/ }));
      const time = () =>
        page.locator("video").evaluate((at: { currentTime: number }) => at.currentTime);
      await expect.poll(time).toBeCloseTo(SECOND_LINE_S, 0);
    }));

  test("correct an order", async () => {
    await asked("A bowl in four steps.mp4", { task: "order", goal: "Finish the bowl" });
    await scenario("correct an order", async (person) => {
      const { page } = person;
      await openQuestion(person, "A bowl in four steps", "Finish the bowl");
      await person.click(page.getByRole("button", { name: "Wrong, the answer is …" }));
      const tiles = page.getByRole("list", { name: "The right order" }).getByRole("listitem");
      await person.drag(tiles.nth(0), tiles.nth(1));
      await person.click(page.getByRole("button", { name: "Save the right answer" }));
      await person.see(page.getByText(/^Wrong\. The right answer/));
    });
  });

  test("review thirty answers", async () => {
    const path = "/questions/bulk";
    const video = videos.get("Friday lesson.mp4");
    const texts = Array.from({ length: ANSWERS }, (_, n) => `Is statement ${n + 1} said?`);
    const body = { rows: texts.map((question) => ({ video, question, options: ["yes", "no"] })) };
    const { items } = await request<{ items: { id: string }[] }>("POST", path, body);
    for (const { id } of items) await ended(id);
    await scenario("review thirty answers", async (person) => {
      const { page } = person;
      await person.click(page.getByRole("link", { name: "Review", exact: true }));
      await person.fill(page.getByLabel("Your name"), "uma");
      await person.press("Tab");
      const right = page.getByRole("button", { name: "Right", exact: true });
      const heading = page.getByRole("main").getByRole("heading", { level: 2 });
      for (let done = 0; done < ANSWERS; ) {
        await page.getByText(new RegExp(`you reviewed ${done}$`)).waitFor();
        const asked = (await heading.textContent()) ?? "";
        const statement = Number(/statement (\d+)/.exec(asked)?.[1] ?? 0);
        if (statement === 0) {
          // The answers of other tasks.
          await page.getByRole("button", { name: "Skip" }).click();
          await heading.filter({ hasNotText: asked }).waitFor();
          continue;
        }
        if (statement % (ANSWERS / WRONG) > 0) await person.click(right);
        else {
          await person.click(page.getByRole("button", { name: "Wrong, the answer is …" }));
          await person.click(page.getByLabel("(B) no"));
          await person.click(page.getByRole("button", { name: "Save the right answer" }));
        }
        done += 1;
      }
      await page.getByText(new RegExp(`you reviewed ${ANSWERS}$`)).waitFor();
    });
  });

  test("settle a conflict between two editors", async () => {
    const text = "Who settles the launch day?";
    await launch(text);
    const other = await arrive();
    await openQuestion(other, "Thursday lesson", text);
    await scenario("settle a conflict", async (person) => {
      const { page } = person;
      const open = async ({ page: of }: Person) =>
        of.getByRole("button", { name: /^Edit/ }).first();
      await openQuestion(person, "Thursday lesson", text);
      await person.click(await open(person));
      await (await open(other)).click();
      await other.page.getByLabel("Words").fill("A teacher in blue stands at a board.");
      await other.press("Enter");
      await other.page
        .getByText(/^Previous text/)
        .first()
        .waitFor();
      await person.fill(page.getByLabel("Words"), "A teacher explains a launch.");
      await person.press("Enter");
      await person.see(page.getByText("while you edited it"));
      await person.click(page.getByRole("button", { name: "Merge both texts" }));
      await person.click(page.getByRole("button", { name: "Save my version" }));
      await page
        .getByText(/in blue[\s\S]*explains a launch/)
        .first()
        .waitFor();
    });
    await other.page.context().close();
  });

  test("compare two strategies", () =>
    scenario("compare two strategies", async (person) => {
      const { page } = person;
      await person.click(page.getByRole("link", { name: "Thursday lesson" }).first());
      await person.fill(
        page.getByLabel("Question", { exact: true }),
        "When does the launch window open?",
      );
      await person.click(page.getByText("Choice", { exact: true }));
      await person.fill(page.getByLabel("Option A"), "Monday");
      await person.press("Tab");
      await person.type("Friday");
      await person.click(page.getByLabel("Ask a second strategy too"));
      await person.click(page.getByRole("button", { name: "Ask", exact: true }));
      await person.see(page.getByText(/^ ?(Both answer|The answers differ|Only one of 2)/));
    }));

  test("ask a follow-up", async () => {
    const text = "Which day is named?";
    await launch(text);
    await scenario("ask a follow-up", async (person) => {
      const { page } = person;
      await openQuestion(person, "Thursday lesson", text);
      await person.click(page.getByText("Ask a follow-up question"));
      await person.fill(page.getByLabel("Follow-up question"), "Who says so?");
      await person.press("Control+Enter");
      await expect
        .poll(() => page.getByRole("navigation", { name: "Thread" }).getByRole("link").count())
        .toBe(2);
      await person.see(page.getByRole("heading", { name: "Who says so?" }));
      await person.see(page.getByRole("group", { name: "Answer", exact: true }));
      await page.getByText("Running", { exact: true }).waitFor({ state: "detached" });
    });
  });

  test("ask the questions of a CSV file", async () => {
    const lines = ["video,question,options"];
    for (let n = 1; n <= 5; n++) lines.push(`Tuesday lesson.mp4,Is it sum ${n}?,yes|no`);
    await scenario("bulk ask from a CSV", async (person) => {
      const { page } = person;
      await person.click(page.getByRole("link", { name: "Questions", exact: true }));
      await person.click(page.getByText("Ask from a table"));
      const file = { mimeType: "text/csv", buffer: Buffer.from(lines.join("\n")) };
      await person.giveFile(page.getByLabel("Table of questions"), { name: "asked.csv", ...file });
      await person.click(page.getByRole("button", { name: "Ask 5 questions" }));
      await person.fill(page.getByLabel("Search the questions"), "sum");
      await page.getByText("5 questions found").waitFor();
      await page.getByText("Answered", { exact: true }).nth(5).waitFor();
    });
  });

  test("correct a line of the transcript and reason again", async () => {
    const text = "On which day does the launch window open?";
    await launch(text);
    await scenario("correct a line", async (person) => {
      const { page } = person;
      await openQuestion(person, "Thursday lesson", text);
      const transcript = page.getByRole("region", { name: "Transcript" });
      const line = transcript.getByRole("listitem").filter({ hasText: "launch window" });
      await person.click(line.getByRole("button", { name: /^Correct/ }));
      await person.fill(page.getByLabel("Words"), "The launch window opens on Friday.");
      await person.press("Enter");
      await person.click(page.getByRole("button", { name: "Reason again" }));
      await person.see(page.getByText("The answer changed"));
      await page.getByText("(B) Friday").first().waitFor();
    });
  });

  test("see why an answer came about", async () => {
    const text = "Why is it this day?";
    await launch(text);
    await scenario("see prompt and price", async (person) => {
      const { page } = person;
      await openQuestion(person, "Thursday lesson", text);
      await person.click(page.getByText("Every call: prompt, pictures, reply"));
      await person.click(
        page
          .locator("summary")
          .filter({ hasText: /^Reason/ })
          .first(),
      );
      await person.see(page.getByText("was observed in a video").first());
      await person.see(page.getByText("The evidence says so").last());
    });
  });

  test("hand out a key with a role, and see who spent what", async () => {
    const data = await tempFolder();
    const program = ["src/app/cli/main.ts", "keys", "add"];
    const addKey = async (name: string, role: string): Promise<string> => {
      const given = [...program, name, "--role", role, "--data-dir", data];
      const { stdout } = await promisify(execFile)(process.execPath, given);
      return /\S{24,}/.exec(stdout)?.[0] ?? "";
    };
    const operator = await addKey("olga", "operate");
    const keys = await openPageService(lessonModel, { data, auth: { by: "keys" } });
    try {
      await scenario(
        "hand out a key, see who spent what",
        async (person) => {
          const { page } = person;
          await person.fill(page.getByLabel("Access key"), operator);
          await person.press("Enter");
          await page.getByText("Drop videos here").waitFor();
          const line = "video-rrd keys add ann --role ask";
          const secret = await person.command(line, () => addKey("ann", "ask"));
          const headers = {
            authorization: `Bearer ${secret}`,
            "content-type": "application/octet-stream",
            "x-file-name": "a.mp4",
          };
          const { bytes } = films[0] as { bytes: Buffer };
          const post = (path: string, body: Uint8Array | string, more = {}) =>
            fetch(`${keys.url}/api/v1${path}`, {
              method: "POST",
              headers: { ...headers, ...more },
              body: body as Uint8Array<ArrayBuffer>,
            });
          const { id } = (await (await post("/videos", bytes)).json()) as { id: string };
          const question = JSON.stringify({
            text: "What is it?",
            settings: { strategy: "direct" },
          });
          const made = await post(`/videos/${id}/questions`, question, {
            "content-type": "application/json",
          });
          expect(made.status).toBe(202);
          await expect.poll(() => keys.models.chats().length).toBeGreaterThan(0);
          await person.click(page.getByRole("link", { name: "Usage", exact: true }));
          await person.choose(page.getByLabel("Rows"), "Key");
          await person.see(page.getByRole("rowheader", { name: "ann" }));
        },
        keys,
      );
    } finally {
      await keys.close();
    }
  });
});
