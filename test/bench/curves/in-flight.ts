import { withTextRun } from "../text-run.ts";
import type { Curves } from "./curve.ts";

const CONNECTIONS = [8, 32, 128, 256];
/** Replies that each connection waits for. */
const REPLIES = 16;

/** Text questions of 200 ms a call, by the number of calls in flight. */
export async function measure(): Promise<Curves> {
  const times: [number, number][] = [];
  const cpu: [number, number][] = [];
  for (const connections of CONNECTIONS) {
    const questions = connections * REPLIES;
    const { alive_s, cpu_s, ideal } = await withTextRun(questions, async (run) => {
      const use = await run.eval(connections, "store");
      return { ...use, ideal: run.ideal(connections) };
    });
    times.push([connections, questions / alive_s]);
    cpu.push([connections, (cpu_s * 1000) / questions]);
    console.log(`${connections} in flight: ${alive_s.toFixed(1)} s, ideal ${ideal.toFixed(1)} s`);
  }
  const ideal = CONNECTIONS.map((connections): [number, number] => [
    connections,
    connections / 0.2,
  ]);
  return {
    "in-flight": {
      title: "Text questions per second, start included",
      x: "calls of 200 ms in flight",
      y: "questions per second",
      series: [
        { name: "video-rrd eval", points: times },
        { name: "without own time", points: ideal },
      ],
    },
    "in-flight-cpu": {
      title: "CPU time of a text question, start included",
      x: "calls of 200 ms in flight",
      y: "ms",
      series: [{ name: "video-rrd eval", points: cpu }],
    },
  };
}
