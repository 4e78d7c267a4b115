import { CALLS_MODEL, defineStrategy, SAMPLES_VIDEO, SENDS_FRAMES, voteOf } from "video-rrd";

const CALLS = 5;

/** Self-consistency: five answers at a temperature, each in one call, and a vote. */
export default defineStrategy({
  name: "my-strategy",
  summary: "Asks five times in one call each, and takes the most frequent answer.",
  approach: "single-call",
  shows: "video",
  tasks: ["choice", "open"],
  // The settings that a user may set with it: `--frames 16`, `--temperature 1`.
  reads: [...CALLS_MODEL, ...SENDS_FRAMES, ...SAMPLES_VIDEO],
  roles: ["reasoner"],
  // For `eval --dry-run`, which plans before anything is sent.
  plan: (_settings, _question, { whole }) => [
    {
      stage: "ask",
      what: "the question and the frames, five times",
      calls: CALLS,
      exact: true,
      frames: CALLS * whole,
    },
  ],
  async run(question, context) {
    const { temperature } = context.settings.reasoning;
    const settings = { "reasoning.temperature": temperature === 0 ? 0.7 : temperature };
    const asked = await Promise.all(
      // Each draw gets a reply of its own, which is stored, so that the same question costs nothing again.
      Array.from({ length: CALLS }, (_, draw) => context.ask("direct", { draw, settings })),
    );
    const vote = voteOf(
      asked.map(({ answer }) => answer),
      question.task,
    );
    const winner = asked[(vote.number ?? 1) - 1];
    if (winner === undefined) return { status: "not-answered" };
    const confidence_basis = `the share of ${CALLS} calls that gave this answer; uncalibrated`;
    return { ...winner, answer: { ...winner.answer, confidence: vote.share, confidence_basis } };
  },
});
