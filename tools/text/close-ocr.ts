let stop: () => void = () => {};

/** Stops the workers of the text recognition, if it was used. Recognitions in progress fail; a later one starts new workers. */
export function closeOcr(): void {
  stop();
}

/** Names what `closeOcr` does. Apart from the recognition, so that a command which reads no text loads none of it. */
export function whenOcrCloses(work: () => void): void {
  stop = work;
}
