import { claim, element, number, text } from "./matroska.ts";

/** Targets of a hostile file: a file in its folder, that file's SegmentUID (16 bytes), and a URL that must not be requested. */
export interface Targets {
  file: string;
  uid: Uint8Array;
  url: string;
}

const SIDE = 16;
const FRAMES = 10;
const FRAME_MS = 100;
/** Grey level of every frame of the film. */
export const GREY = 32;

const VIDEO = element(
  [0xae],
  element([0xd7], number(1)),
  element([0x73, 0xc5], number(1)),
  element([0x83], number(1)),
  element([0x86], text("V_UNCOMPRESSED")),
  element(
    [0xe0],
    element([0xb0], number(SIDE)),
    element([0xba], number(SIDE)),
    element([0x2e, 0xb5, 0x24], text("Y800")),
  ),
);

const subtitles = (codec: string, head = "") =>
  element(
    [0xae],
    element([0xd7], number(2)),
    element([0x73, 0xc5], number(2)),
    element([0x83], number(0x11)),
    element([0x86], text(codec)),
    element([0x63, 0xa2], text(head)),
  );

const block = (track: number, at_ms: number, data: Uint8Array) =>
  element([0xa3], number(0x80 | track), number(at_ms, 2), number(0x80), data);

const info = (...parts: Uint8Array[]) =>
  element([0x15, 0x49, 0xa9, 0x66], element([0x2a, 0xd7, 0xb1], number(1_000_000, 3)), ...parts);

const attachment = (name: string, mime: string, data: Uint8Array, ...more: Uint8Array[]) =>
  element(
    [0x61, 0xa7],
    element([0x46, 0x6e], text(name)),
    element([0x46, 0x60], text(mime)),
    element([0x46, 0x5c], data),
    element([0x46, 0xae], number(7)),
    ...more,
  );
const attachments = (...files: Uint8Array[]) => element([0x19, 0x41, 0xa4, 0x69], ...files);

function segment(
  parts: { info?: Uint8Array; tracks?: Uint8Array[]; blocks?: Uint8Array[] },
  ...more: Uint8Array[]
) {
  const pictures = Array.from({ length: FRAMES }, (_, i) =>
    block(1, i * FRAME_MS, Buffer.alloc(SIDE * SIDE, GREY)),
  );
  return Buffer.concat([
    element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], text("matroska"))),
    // A segment of unknown length.
    Buffer.of(0x18, 0x53, 0x80, 0x67, 0x01, ...Array(7).fill(0xff)),
    ...[parts.info ?? info(), element([0x16, 0x54, 0xae, 0x6b], VIDEO, ...(parts.tracks ?? []))],
    ...more,
    element(
      [0x1f, 0x43, 0xb6, 0x75],
      element([0xe7], number(0)),
      ...pictures,
      ...(parts.blocks ?? []),
    ),
  ]);
}

/** A small film, and one for each way in which a Matroska file can refer to something outside itself. */
export function hostileFilms({ file, uid, url }: Targets): Record<string, Buffer> {
  const playlist = text(`ffconcat version 1.0\nfile ${file}\n`);
  const svg = text(`<svg xmlns="http://www.w3.org/2000/svg"><image href="${url}x.png"/></svg>`);
  const names = [file, "../../x", "/etc/passwd", "..\\..\\x", url, `|touch ${file}.x`, "%03d.png"];
  return {
    "a plain film": segment({}),
    "segments linked by their ids": segment({
      info: info(
        element([0x73, 0xa4], Buffer.alloc(16, 1)),
        element([0x3c, 0xb9, 0x23], uid),
        element([0x3e, 0xb9, 0x23], uid),
      ),
    }),
    "segments linked by their file names": segment({
      info: info(
        element([0x73, 0x84], text(file)),
        element([0x3c, 0x83, 0xab], text(url)),
        element([0x3e, 0x83, 0xbb], text(file)),
      ),
    }),
    "chapters of another segment": segment(
      {},
      element(
        [0x10, 0x43, 0xa7, 0x70],
        element(
          [0x45, 0xb9],
          element([0x45, 0xdd], number(1)),
          element(
            [0xb6],
            element([0x73, 0xc4], number(5)),
            element([0x91], number(0)),
            element([0x92], number(60_000_000_000, 5)),
            element([0x6e, 0x67], uid),
            element([0x80], element([0x85], text(file)), element([0x43, 0x7c], text("eng"))),
            element(
              [0x69, 0x44],
              element([0x69, 0x55], number(0)),
              element([0x45, 0x0d], text(url)),
            ),
          ),
        ),
      ),
    ),
    "attachments named as other files": segment(
      {},
      attachments(...names.map((name) => attachment(name, "text/plain", text("attached")))),
    ),
    "a font, and subtitles that ask for it": segment(
      {
        tracks: [subtitles("S_TEXT/ASS", `[Script Info]\n[Fonts]\nfontname: ${file}\n[Events]\n`)],
        blocks: [block(2, 0, text(`0,0,Default,,0,0,0,,{\\fn${file}}{\\img(${url})}Plain words`))],
      },
      attachments(attachment(file, "application/x-truetype-font", playlist)),
    ),
    "subtitles that name other files": segment({
      tracks: [subtitles("S_TEXT/UTF8")],
      blocks: [block(2, 0, text(`<img src="${url}"><font face="${file}">Plain words`))],
    }),
    "attached pictures that are playlists": segment(
      {},
      attachments(
        ...["image/jpeg", "image/png", "image/tiff", "image/svg+xml", "image/gif"].map((mime, i) =>
          attachment(names[i] ?? "x", mime, i % 2 === 0 ? playlist : svg),
        ),
      ),
    ),
    "an attachment by reference": segment(
      {},
      attachments(attachment("x", "image/png", Buffer.alloc(0), element([0x46, 0x75], text(file)))),
    ),
    "tags, cues and seek heads that point far away": segment(
      {},
      element(
        [0x12, 0x54, 0xc3, 0x67],
        element(
          [0x73, 0x73],
          element([0x63, 0xc0], element([0x63, 0xc6], number(7))),
          ...["URL", "filename", "COVER_URL", "rotate"].map((name) =>
            element(
              [0x67, 0xc8],
              element([0x45, 0xa3], text(name)),
              element([0x44, 0x87], text(url)),
            ),
          ),
        ),
      ),
      element(
        [0x1c, 0x53, 0xbb, 0x6b],
        element(
          [0xbb],
          element([0xb3], number(0)),
          element([0xb7], element([0xf7], number(1)), element([0xf1], number(2 ** 50, 8))),
        ),
      ),
      element(
        [0x11, 0x4d, 0x9b, 0x74],
        element(
          [0x4d, 0xbb],
          element([0x53, 0xab], Buffer.of(0x19, 0x41, 0xa4, 0x69)),
          element([0x53, 0xac], number(2 ** 50, 8)),
        ),
      ),
    ),
    "an attachment that claims a terabyte": Buffer.concat([
      segment({}),
      claim([0x19, 0x41, 0xa4, 0x69], 2 ** 40),
      claim([0x61, 0xa7], 2 ** 40 - 100),
      claim([0x46, 0x5c], 2 ** 40 - 200),
      text("attached"),
    ]),
    "a large attachment": segment(
      {},
      attachments(attachment("x", "image/png", Buffer.alloc(16 * 2 ** 20, 1))),
    ),
  };
}
