import type { AskRequest } from "./host.ts";

/** The question in the form of `ask`. */
export function inputOf({ question, options, goal }: AskRequest) {
  return {
    text: question,
    ...(options === undefined ? {} : { options }),
    ...(goal === undefined ? {} : { goal }),
  };
}
