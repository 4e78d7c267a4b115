import { Failure, oneLine } from "../../core/errors.ts";

/** Parses JSON that a store wrote. Throws `Failure` `store-damaged`. */
export function fromJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Failure(
      "store-damaged",
      `The store holds damaged data: ${what} is not JSON but ${JSON.stringify(oneLine(text, 60))}. Run \`video-rrd repair\`.`,
      { what },
      { cause: error },
    );
  }
}
