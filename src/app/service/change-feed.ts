import type { ServiceStore } from "../../core/contracts.ts";

/** A video or a question that was made, changed or removed. */
export interface Change {
  owner: string;
  video: string;
  /** Null: only the video changed. */
  question: string | null;
}

/** Ids of what changed since the last batch. `more`: too much to list; anything may have changed. */
export interface ChangeBatch {
  videos: string[];
  questions: string[];
  more: boolean;
}

/** Ids that a batch lists at most. */
const MOST = 200;

/** Tells subscribers what changes, so that pages need not ask again and again. Nothing is stored: a subscriber that was away reads again. */
export function createChangeFeed() {
  const listeners = new Set<(change: Change | null) => void>();
  let closed = false;

  return {
    announce(change: Change): void {
      for (const listen of [...listeners]) listen(change);
    },
    /** Collects the changes that `wants` selects. */
    subscribe(wants: (change: Change) => boolean) {
      const videos = new Set<string>();
      const questions = new Set<string>();
      let wake: () => void = () => {};
      const listen = (change: Change | null) => {
        if (change !== null) {
          if (!wants(change)) return;
          if (videos.size <= MOST) videos.add(change.video);
          if (change.question !== null && questions.size <= MOST) questions.add(change.question);
        }
        wake();
      };
      listeners.add(listen);
      return {
        /** The changes since the last call, as soon as there are any; null after `ms` without one, or at the end. */
        async next(ms: number, signal: AbortSignal): Promise<ChangeBatch | null> {
          if (videos.size === 0 && !closed && !signal.aborted)
            await new Promise<void>((done) => {
              const timer = setTimeout(done, ms);
              wake = () => {
                clearTimeout(timer);
                done();
              };
              signal.addEventListener("abort", wake, { once: true });
            });
          signal.removeEventListener("abort", wake);
          wake = () => {};
          if (videos.size === 0) return null;
          const batch = {
            videos: [...videos].slice(0, MOST),
            questions: [...questions].slice(0, MOST),
            more: videos.size > MOST || questions.size > MOST,
          };
          videos.clear();
          questions.clear();
          return batch;
        },
        end: () => listeners.delete(listen),
      };
    },
    /** Ends every wait. */
    close(): void {
      closed = true;
      for (const listen of [...listeners]) listen(null);
    },
    isClosed: () => closed,
  };
}

export type ChangeFeed = ReturnType<typeof createChangeFeed>;

/** A service store that announces every write of a video or question, whoever makes it. */
export function announceWrites(
  service: ServiceStore,
  { announce }: Pick<ChangeFeed, "announce">,
): ServiceStore {
  const announceQuestion = ({ id, upload, owner }: { id: string; upload: string; owner: string }) =>
    announce({ owner, video: upload, question: id });
  return {
    ...service,
    async putUpload(row) {
      await service.putUpload(row);
      announce({ owner: row.owner, video: row.id, question: null });
    },
    async editUpload(id, change) {
      const done = await service.editUpload(id, change);
      const owner = (await service.upload(id))?.owner;
      if (owner !== undefined) announce({ owner, video: id, question: null });
      return done;
    },
    async dropUpload(id) {
      const owner = (await service.upload(id))?.owner;
      await service.dropUpload(id);
      if (owner !== undefined) announce({ owner, video: id, question: null });
    },
    async putQuestion(row) {
      await service.putQuestion(row);
      announceQuestion(row);
    },
    async editQuestion(row) {
      const isThere = await service.editQuestion(row);
      if (isThere) announceQuestion(row);
      return isThere;
    },
    async dropQuestion(id) {
      const row = await service.question(id);
      await service.dropQuestion(id);
      if (row !== undefined) announceQuestion(row);
    },
    async addRating(rating, question) {
      const isThere = await service.addRating(rating, question);
      if (isThere) announceQuestion(question);
      return isThere;
    },
    async undoRating(id, at, question) {
      const isThere = await service.undoRating(id, at, question);
      if (isThere) announceQuestion(question);
      return isThere;
    },
  };
}
