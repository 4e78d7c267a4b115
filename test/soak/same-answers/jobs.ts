/** Something that a version of the program is asked to do. */
export type Job = { name: string } & (
  | { kind: "index"; video: string }
  | { kind: "ask"; video: string; strategy: string; question: string; options: string[] }
  | { kind: "run"; strategy: string; benchmark: string; subset: string; data: string }
);

/** What came of a job, by aspect; equal JSON means equal results. */
export type Facts = Record<string, unknown>;

/** Strategies without a model, and strategies with the scripted one. */
export const STRATEGIES = ["extractive", "random", "blind", "direct", "rrd", "agent"];

/** Jobs with other results in two versions, and the aspects that differ. */
export function differences(before: Record<string, Facts>, now: Record<string, Facts>) {
  return Object.keys(now).flatMap((name) => {
    const [one, other] = [before[name] ?? {}, now[name] ?? {}];
    const aspects = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
      (aspect) => JSON.stringify(one[aspect]) !== JSON.stringify(other[aspect]),
    );
    return aspects.length === 0 ? [] : [{ name, aspects }];
  });
}
