/** The variables by which LangChain is told to send traces to LangSmith. */
const VARIABLES = [
  "LANGSMITH_TRACING_V2",
  "LANGCHAIN_TRACING_V2",
  "LANGSMITH_TRACING",
  "LANGCHAIN_TRACING",
];

/** Whether the environment tells LangChain to send traces to LangSmith. */
export function isTracedByLangSmith(): boolean {
  return VARIABLES.some((name) => process.env[name] === "true");
}
