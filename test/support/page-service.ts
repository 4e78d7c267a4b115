import { Writable } from "node:stream";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { ServiceOptions } from "../../src/app/service/options.ts";
import { type Service, startService } from "../../src/app/service/serve.ts";
import { openBrowser } from "./browser.ts";
import { type ModelServer, type Script, startModelServer } from "./model-server.ts";
import { tempFolder } from "./temp.ts";

/*
 * The real service with a scripted model server behind it and a real browser before it.
 */

export interface PageService {
  url: string;
  models: ModelServer;
  /** Stops the service and starts it again on the same folder and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** A window of its own, with everything that should never happen in one. */
  open(window?: Window): Promise<Opened>;
  close(): Promise<void>;
}

export interface Window {
  width?: number;
  height?: number;
  colorScheme?: "light" | "dark";
  reducedMotion?: "reduce" | "no-preference";
}

export interface Opened {
  page: Page;
  context: BrowserContext;
  /** Dialogs, script errors, refusals of the content policy and globals that a hostile text would set. */
  accidents: string[];
}

/** Text on screen is not read, which would take most of the time. `model` false: without any language model. */
export async function openPageService(
  script: Script,
  given: Partial<ServiceOptions> & { model?: boolean } = {},
): Promise<PageService> {
  const { model = true, ...options } = given;
  const models = await startModelServer(script);
  const data = await tempFolder();
  const start = (port: number): Promise<Service> =>
    startService({
      data,
      port,
      settings: {
        recognition: { frames: 12, max_side: 256, ocr: "off" },
        ...(model ? { model: "openai:scripted", runtime: { base_url: models.url } } : {}),
      },
      models: model ? ["openai:scripted", "openai:other"] : [],
      log: { level: "silent", to: new Writable({ write: (_chunk, _encoding, done) => done() }) },
      ...options,
    });
  let service = await start(0);
  const { url } = service;
  const browser: Browser = await openBrowser();
  const contexts = new Set<BrowserContext>();
  return {
    url,
    models,
    restart: async () => {
      service = await start(Number(new URL(url).port));
    },
    stop: () => service.stop(),
    open: async ({ width = 1280, height = 900, ...rest }: Window = {}) => {
      const context = await browser.newContext({ viewport: { width, height }, ...rest });
      contexts.add(context);
      context.setDefaultTimeout(60_000);
      const page = await context.newPage();
      const accidents = await watchFor(page);
      return { page, context, accidents };
    },
    close: async () => {
      for (const context of contexts) await context.close();
      await browser.close();
      await service.stop().catch(() => {});
      await models.close();
    },
  };
}

async function watchFor(page: Page): Promise<string[]> {
  const accidents: string[] = [];
  page.on("dialog", (dialog) => {
    accidents.push(`dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => {});
  });
  page.on("pageerror", (error) => accidents.push(`script error: ${error.message}`));
  await page.exposeFunction("policyRefused", (what: string) => accidents.push(`policy: ${what}`));
  await page.addInitScript(`addEventListener("securitypolicyviolation", (event) =>
    window.policyRefused(event.effectiveDirective + " " + event.blockedURI))`);
  return accidents;
}

/** Posts a file as a program would; the id of the video. */
export async function putVideo(url: string, name: string, bytes: Uint8Array): Promise<string> {
  const response = await fetch(`${url}/api/videos`, {
    method: "POST",
    headers: {
      "content-type": "application/octet-stream",
      "x-file-name": encodeURIComponent(name),
    },
    body: bytes as Uint8Array<ArrayBuffer>,
  });
  const body = (await response.json()) as { id?: string; detail?: string };
  if (body.id === undefined) throw new Error(`the video was refused: ${body.detail}`);
  return body.id;
}
