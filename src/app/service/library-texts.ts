import { readSubtitleFile } from "../../../tools/speech/subtitles/read-source.ts";
import { subtitleEvidence } from "../../../tools/speech/subtitles.ts";
import type { Store, UploadRow } from "../../core/contracts.ts";
import { type CorrectedSets, editsOf } from "../../core/corrections.ts";
import { isFailure } from "../../core/errors.ts";
import { withSpeaker } from "../../core/evidence.ts";
import type { LibraryText } from "../../core/library/library-index.ts";
import type { Evidence, EvidenceSet } from "../../core/shapes.ts";
import { readSet } from "./evidence-sets.ts";
import { parseStoredQuestion } from "./question-record.ts";
import { createUploadFiles } from "./upload-files.ts";
import { uploadQuestions } from "./upload-questions.ts";

/** Kinds of evidence that hold texts of the video. */
const TEXT_KINDS = ["subtitle", "speech", "text", "equation", "caption"] as const;
type TextKind = (typeof TEXT_KINDS)[number];
type TextEvidence = Evidence & { kind: TextKind };

/** The texts by which a complete upload is found: its name, its tags, and its newest evidence. */
export async function libraryTexts(store: Store, id: string): Promise<LibraryText[]> {
  const upload = await store.service.upload(id);
  if (upload?.video == null) return [];
  const { tags } = await store.service.aboutUpload(id);
  const sets = await withoutOldCues(store, upload, await editedSets(store, upload));
  const whole = { start_s: 0, end_s: 0, evidence: null };
  return [
    { ...whole, kind: "name", text: upload.name },
    ...tags.map((text) => ({ ...whole, kind: "tag" as const, text })),
    ...currentEvidence(sets).map((item) => ({
      kind: item.kind,
      start_s: item.start_s,
      end_s: item.end_s,
      text: withSpeaker(item),
      evidence: item.id,
    })),
  ];
}

/** The sets of all answered questions, in the order in which they were asked. Damaged and missing ones are left out. */
async function editedSets(store: Store, upload: UploadRow): Promise<CorrectedSets[]> {
  const known = new Map<string, Promise<EvidenceSet | null>>();
  const read = (set: string) => {
    const reading = known.get(set) ?? readSet(store, set).catch(() => null);
    known.set(set, reading);
    return reading;
  };
  const sets: CorrectedSets[] = [];
  for (const row of await uploadQuestions(store, upload)) {
    try {
      const { answer, set } = parseStoredQuestion(row).record;
      if (answer === null || set === null) continue;
      const [first, now] = await Promise.all([read(answer.set), read(set)]);
      if (now !== null) sets.push({ first: first ?? now, now });
    } catch (error) {
      if (!isFailure(error, "store-damaged")) throw error;
    }
  }
  return sets;
}

/** Leaves out the cues of uploaded subtitle files that were removed or replaced, and the corrections of these cues. */
async function withoutOldCues(
  store: Store,
  upload: UploadRow,
  questions: readonly CorrectedSets[],
): Promise<CorrectedSets[]> {
  const all = questions.flatMap(({ first, now }) => [...first.items, ...now.items]);
  const uploaded = all.filter((item) => isUploadedCue(item, upload));
  if (uploaded.length === 0) return [...questions];
  const there = await uploadedCues(store, upload);
  const old = new Set(uploaded.flatMap(({ id }) => (there.has(id) ? [] : id)));
  const current = (set: EvidenceSet): EvidenceSet => ({
    ...set,
    items: set.items.filter(({ id, replaces = id }) => !old.has(id) && !old.has(replaces)),
  });
  return questions.map(({ first, now }) => ({ first: current(first), now: current(now) }));
}

/** Uploaded files have the id of the upload as their name, and streams are `stream 2 of ID`. */
function isUploadedCue({ kind, by }: Evidence, { id }: UploadRow): boolean {
  return kind === "subtitle" && by.who === "file" && by.name.startsWith(`${id}.`);
}

/** The ids of all cues in the subtitle files of an upload, with rolling captions folded and as they are. */
async function uploadedCues(store: Store, upload: UploadRow): Promise<Set<string>> {
  const ids = new Set<string>();
  const add = async (name: string, path: string, foldsRolling: boolean) => {
    const { cues, source } = await readSubtitleFile(path, { foldsRolling });
    const evidence = subtitleEvidence(upload.video?.hash ?? "", cues, { who: "file", name });
    for (const { id } of evidence) ids.add(id);
    return source;
  };
  for (const { name, path } of await createUploadFiles(store).subtitles(upload))
    try {
      if ((await add(name, path, true)).folded) await add(name, path, false);
    } catch (error) {
      // A file that is being replaced: the upload is marked as stale again after that.
      if (!isFailure(error, "file-unreadable") && !isFailure(error, "no-subtitles")) throw error;
    }
  return ids;
}

/**
 * The evidence of a video: for each kind, that of the newest question that recognised it, with the edits that people made
 * in any question, in the order of the questions. So a question asked after a correction does not undo it.
 */
export function currentEvidence(questions: readonly CorrectedSets[]): TextEvidence[] {
  const items = new Map<string, TextEvidence>();
  for (const kind of TEXT_KINDS) {
    const newest = questions.findLast(({ first }) => first.items.some((one) => one.kind === kind));
    for (const item of newest?.first.items ?? [])
      if (isText(item) && item.kind === kind) items.set(item.id, item);
  }
  for (const { first, now } of questions) {
    if (first.id === now.id) continue;
    const { gone, written } = editsOf({ first, now });
    for (const id of gone) items.delete(id);
    for (const item of written) {
      if (!isText(item)) continue;
      if (item.replaces !== undefined) items.delete(item.replaces);
      items.set(item.id, item);
    }
  }
  return [...items.values()].filter(({ text }) => text.trim() !== "");
}

function isText(item: Evidence): item is TextEvidence {
  return (TEXT_KINDS as readonly string[]).includes(item.kind);
}
