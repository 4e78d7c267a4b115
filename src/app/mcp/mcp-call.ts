/** One call of a tool by a client. */
export interface McpCall {
  /** Aborted when the client cancels the call or disconnects. */
  signal: AbortSignal;
  /** Tells a client that asked for progress what is done at the moment. */
  progress(message: string): void;
}
