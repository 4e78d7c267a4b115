import type { components } from "./api-types.ts";

/** An RFC 9457 problem of the service. */
export type Problem = components["schemas"]["Problem"];

/** A request that the service refused. `message` is one sentence; `problem.kind` names the reason for programs. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = "ApiProblem";
    this.status = problem.status;
    this.problem = problem;
  }

  /** The problem of a response. A proxy may answer without a problem document. */
  static async of(response: Response): Promise<ApiProblem> {
    const body: unknown = await response.json().catch(() => null);
    return new ApiProblem(problemOf(body, response));
  }
}

function problemOf(body: unknown, { status, statusText }: Response): Problem {
  if (typeof body === "object" && body !== null && "detail" in body) return body as Problem;
  const title = statusText || `Status ${status}`;
  return { type: "about:blank", title, status, detail: `${title}.`, instance: "", kind: "unknown" };
}

/** The data of a response. Throws `ApiProblem`. */
export function dataOf<T>(result: {
  data?: T | undefined;
  error?: unknown;
  response: Response;
}): NonNullable<T> {
  if (result.data != null) return result.data;
  throw new ApiProblem(problemOf(result.error, result.response));
}
