import { readSettings } from "../../core/settings.ts";
import { defaultStrategy } from "../service/request-settings.ts";
import { type AllowedFolders, allowFolders } from "./allowed-folders.ts";
import type { LocalHostOptions } from "./local-host.ts";
import type { McpSession } from "./session.ts";

/**
 * The session of a client on this machine. Settings and folders are checked now; everything else is loaded when the
 * session is first opened. Throws `Failure` `wrong-setting`, `wrong-usage`, `file-unreadable`.
 */
export async function createLocalSession(options: LocalHostOptions): Promise<{
  open(): Promise<McpSession>;
  close(): Promise<void>;
}> {
  const { settings } = options;
  readSettings({ ...settings, strategy: defaultStrategy({ settings }) });
  const folders = await allowFolders(options.folders, options.roots);
  let opened: Promise<{ session: McpSession; close(): Promise<void> }> | undefined;
  return {
    async open() {
      opened ??= openSession(options, folders);
      return (await opened).session;
    },
    async close() {
      await (await opened)?.close();
    },
  };
}

async function openSession(options: LocalHostOptions, folders: AllowedFolders) {
  const { createLocalHost } = await import("./local-host.ts");
  const { createSession } = await import("./session.ts");
  const { createCallGate } = await import("./call-gate.ts");
  const host = await createLocalHost(options, folders);
  const session = createSession(host, createCallGate());
  const close = async () => {
    await session.close();
    await host.close();
  };
  return { session, close };
}
