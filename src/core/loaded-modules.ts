import { z } from "zod";

/** A file of a user's own code that ran in this process. */
export const ModuleFile = z.object({
  /** Absolute. */
  path: z.string().min(1),
  /** Of its text when it was loaded. */
  sha256: z.string(),
  /** Somebody named it; absent: a file that was named imports it. */
  named: z.literal(true).optional(),
});
export type ModuleFile = z.infer<typeof ModuleFile>;

const files = new Map<string, ModuleFile>();

/** Records a file that was loaded. The first text counts: it is the one that runs. */
export function recordModule(path: string, sha256: string): void {
  if (!files.has(path)) files.set(path, { path, sha256 });
}

/** Marks a recorded file as one that somebody named. */
export function markNamed(path: string): void {
  const file = files.get(path);
  if (file !== undefined) files.set(path, { ...file, named: true });
}

/** Every file of users' own code that this process has loaded outside `node_modules`, in that order. */
export function loadedModules(): ModuleFile[] {
  return [...files.values()];
}
