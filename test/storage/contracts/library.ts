import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Store, UploadRow } from "../../../src/core/contracts.ts";
import type {
  LibrarySearch,
  LibraryText,
  TextPosition,
} from "../../../src/core/library/library-index.ts";
import { searchLibrary } from "../../../src/core/library/search-library.ts";
import { type Open, useStore } from "./with-store.ts";

const video = { hash: "a".repeat(64), duration_s: 90, container: "mp4", width: 320, height: 240 };

export function said(text: string, start_s = 0, more: Partial<LibraryText> = {}): LibraryText {
  return { kind: "subtitle", start_s, end_s: start_s + 2, text, evidence: null, ...more };
}

/** Adds an upload with texts to a store. */
export async function addVideo(
  { service, library }: Store,
  id: string,
  texts: readonly LibraryText[],
  more: Partial<UploadRow> = {},
): Promise<void> {
  const row = { id, owner: "ann", name: `${id}.mp4`, size: 1, created_at: 1, video, ...more };
  await service.putUpload(row);
  for (const one of await library.stale("newest", 100))
    if (one.upload === id) await library.put(one, texts);
}

/** Requirements of the search index of any store. */
export function libraryContract(name: string, open: Open): void {
  const withStore = (body: (store: Store) => Promise<void>) => useStore(open, body);

  const find = async (store: Store, query: string, filter: Partial<LibrarySearch> = {}) =>
    searchLibrary(store.library, query, { owner: "ann", limit: 50, after: null, ...filter });
  const texts = async (store: Store, query: string, filter: Partial<LibrarySearch> = {}) =>
    (await find(store, query, filter)).hits.map(({ text }) => text);

  describe(`search of a library: ${name}`, () => {
    test("finds words, phrases and beginnings of the last word, in any case and without diacritics", () =>
      withStore(async (store) => {
        await addVideo(store, "u1", [
          said("The Chain Rule of derivatives", 4, { evidence: "e".repeat(64) }),
          said("A rule for the chain", 8),
          said("Crème brûlée à la carte", 12),
        ]);
        expect(await texts(store, "chain rule ")).toHaveLength(2);
        expect(await texts(store, '"chain rule"')).toEqual(["The Chain Rule of derivatives"]);
        expect(await texts(store, "rule d ")).toEqual([]);
        expect(await texts(store, "rule deriv")).toEqual(["The Chain Rule of derivatives"]);
        expect(await texts(store, "deriv rule")).toEqual([]);
        expect(await texts(store, "rule d")).toHaveLength(2);
        expect(await texts(store, "rule a")).toEqual(["A rule for the chain"]);
        expect(await texts(store, '"chain rule" d')).toEqual(["The Chain Rule of derivatives"]);
        expect(await texts(store, "rul d")).toEqual([]);
        expect(await texts(store, "d")).toEqual([]);
        expect(await texts(store, "creme BRULEE")).toEqual(["Crème brûlée à la carte"]);
        expect((await find(store, "derivatives")).hits).toEqual([
          {
            upload: "u1",
            name: "u1.mp4",
            kind: "subtitle",
            start_s: 4,
            end_s: 6,
            text: "The Chain Rule of derivatives",
            match: [[18, 29]],
            evidence: "e".repeat(64),
          },
        ]);
      }));

    test.each([
      ["今天我们讨论机器学习的历史", "机器学习"],
      ["今天我们讨论机器学习的历史", "历"],
      ["東京タワーへ行きました", "タワー"],
      ["ＡＩと機械学習", "ai"],
      ["오늘은 기계 학습을 배웁니다", "기계"],
      ["วันนี้เราเรียนคณิตศาสตร์", "คณิตศาสตร์"],
      ["Сегодня мы изучаем производные", "ПРОИЗВОД"],
      ["आज हम गणित पढ़ेंगे", "गणित"],
      ["اليوم ندرس الرياضيات", "الرياضيات"],
      ["Σήμερα μαθαίνουμε άλγεβρα", "ΑΛΓΕΒΡΑ"],
      ["Ο λόγος", "λογοσ"],
      ["שָׁלוֹם לכולם", "שלום"],
    ])("finds %s by %s", (text, query) =>
      withStore(async (store) => {
        await addVideo(store, "u1", [said(text), said("something else")]);
        const { hits, total } = await find(store, query);
        expect([hits.map((hit) => hit.text), total]).toEqual([[text], 1]);
        expect(hits[0]?.match).toHaveLength(1);
      }),
    );

    test("shows only the videos of one owner, one video, or some kinds", () =>
      withStore(async (store) => {
        await addVideo(store, "u1", [said("apple"), said("apple pie", 2, { kind: "caption" })]);
        await addVideo(store, "u2", [said("apple juice")]);
        await addVideo(store, "u3", [said("apple of bob")], { owner: "bob" });
        expect((await texts(store, "apple")).sort()).toEqual(["apple", "apple juice", "apple pie"]);
        expect(await texts(store, "apple", { owner: "bob" })).toEqual(["apple of bob"]);
        expect(await texts(store, "apple", { owner: "eve" })).toEqual([]);
        expect(await texts(store, "apple", { upload: "u2" })).toEqual(["apple juice"]);
        expect(await texts(store, "apple", { kinds: ["caption"] })).toEqual(["apple pie"]);
        expect((await find(store, "apple", { owner: undefined })).total).toBe(4);
      }));

    test("lists the texts of a video that overlap some seconds, in order of time and in pages", () =>
      withStore(async (store) => {
        await addVideo(store, "u1", [
          { ...said("a name"), kind: "name" },
          said("third", 20),
          said("first", 0),
          said("second", 10, { kind: "caption" }),
        ]);
        await addVideo(store, "u2", [said("of another video", 1)]);
        const list = (from_s: number, to_s: number, limit = 9, after: TextPosition | null = null) =>
          store.library.texts({ upload: "u1", from_s, to_s, limit, after });
        const [all, some] = [await list(0, 99), await list(2, 10)];
        expect(all.texts.map(({ text }) => text)).toEqual(["first", "second", "third"]);
        expect([some.texts.length, some.total, some.last]).toEqual([2, 2, null]);
        const first = await list(0, 99, 2);
        const rest = await list(0, 99, 2, first.last);
        expect([first.total, rest.texts.map(({ text }) => text), rest.last]).toEqual([
          3,
          ["third"],
          null,
        ]);
      }));

    test("lists better matches first, then the newer video, in pages without gaps or repetition", () =>
      withStore(async (store) => {
        for (const number of [1, 2, 3])
          await addVideo(
            store,
            `u${number}`,
            Array.from({ length: 10 }, (_, index) => said("a word", index)),
            { created_at: number },
          );
        await addVideo(store, "named", [{ ...said("word"), kind: "name" }], { created_at: 0 });
        const seen: string[] = [];
        let after: LibrarySearch["after"] = null;
        do {
          const page = await find(store, "word", { limit: 7, after });
          expect(page.total).toBe(31);
          seen.push(...page.hits.map(({ upload, start_s }) => `${upload} ${start_s}`));
          after = page.last;
        } while (after !== null);
        const expected = [3, 2, 1].flatMap((number) =>
          Array.from({ length: 10 }, (_, index) => `u${number} ${index}`),
        );
        expect(seen).toEqual(["named 0", ...expected]);
      }));

    test("marks what changes, finds a removed video no more, and keeps a mark that is newer", () =>
      withStore(async (store) => {
        const { library, service } = store;
        await addVideo(store, "u1", [said("old words")]);
        expect(await library.countStale()).toBe(0);
        await service.editUpload("u1", { name: "Holiday" });
        const [renamed] = await library.stale("oldest", 10, "ann");
        expect(await library.countStale("ann")).toBe(1);
        expect(await library.countStale("bob")).toBe(0);
        await service.editUpload("u1", { tags: ["sea"] });
        await library.put(renamed ?? { upload: "", mark: "" }, [said("outdated words")]);
        expect(await texts(store, "outdated")).toEqual([]);
        const [tagged] = await library.stale("oldest", 10);
        await library.put(tagged ?? { upload: "", mark: "" }, [said("new words")]);
        expect([await texts(store, "old"), await texts(store, "new")]).toEqual([[], ["new words"]]);
        const question = { id: "q1", upload: "u1", owner: "ann", open: true, created_at: 5 };
        await service.putQuestion({ ...question, json: "{}" });
        expect(await library.countStale()).toBe(0);
        await service.putQuestion({ ...question, open: false, json: "{}" });
        expect(await library.countStale()).toBe(1);
        const [before] = await library.stale("oldest", 10);
        await library.markStale("u1");
        await library.put(before ?? { upload: "", mark: "" }, [said("outdated words")]);
        expect([await texts(store, "outdated"), await library.countStale()]).toEqual([[], 1]);
        await service.dropUpload("u1");
        expect(await texts(store, "new")).toEqual([]);
        for (const one of await library.stale("newest", 10)) await library.put(one, [said("new")]);
        expect(await find(store, "new")).toEqual({ hits: [], total: 0, last: null });
      }));

    test("takes any text as a query", () =>
      withStore(async (store) => {
        await addVideo(store, "u1", [said("plain OR text AND more NEAR it")]);
        expect(await texts(store, "or")).toHaveLength(1);
        expect(await texts(store, 'body : "plain" OR nothing')).toEqual([]);
        // Without the short end, no word is left.
        expect(await texts(store, '" a')).toEqual([]);
        const hostile = fc.oneof(
          fc.string({ unit: "binary" }),
          fc
            .array(
              fc.constantFrom('"', "*", "(", ")", "NEAR", "OR", "^", ":", "a", " ", "\0", "'"),
              {
                maxLength: 20,
              },
            )
            .map((parts) => parts.join("")),
        );
        await fc.assert(
          fc.asyncProperty(hostile, async (query) => {
            await find(store, query);
          }),
          { numRuns: 60 },
        );
      }));
  });
}
