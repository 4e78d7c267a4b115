/** The variables by which LangChain is told to send traces to LangSmith. */
const VARIABLES = [
  "LANGSMITH_TRACING_V2",
  "LANGCHAIN_TRACING_V2",
  "LANGSMITH_TRACING",
  "LANGCHAIN_TRACING",
];

let known: boolean | undefined;

/**
 * Whether the environment tells LangChain to send traces to LangSmith. It is read once in a turn of the event loop:
 * reading the environment takes time, and steps of many questions ask.
 */
export function isTracedByLangSmith(): boolean {
  if (known === undefined) {
    known = VARIABLES.some((name) => process.env[name] === "true");
    setImmediate(() => {
      known = undefined;
    }).unref();
  }
  return known;
}
