/** Built-in sweeps by name. */
export const PRESETS: Readonly<Record<string, () => Promise<unknown>>> = {
  rrd: async () => (await import("./rrd.ts")).rrd,
  frontier: async () => (await import("./frontier.ts")).frontier,
  ladder: async () => (await import("./ladder.ts")).ladder,
};
