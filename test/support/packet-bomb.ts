import { open } from "node:fs/promises";
import { element, text } from "./matroska.ts";

const CODECS = {
  /** Raw frames of one grey pixel. */
  video: [
    element([0x83], Buffer.of(1)),
    element([0x86], text("V_UNCOMPRESSED")),
    element(
      [0xe0],
      element([0xb0], Buffer.of(1)),
      element([0xba], Buffer.of(1)),
      element([0x2e, 0xb5, 0x24], text("Y800")),
    ),
  ],
  audio: [
    element([0x83], Buffer.of(2)),
    element([0x86], text("A_PCM/INT/LIT")),
    element([0xe1], element([0x9f], Buffer.of(1)), element([0x62, 0x64], Buffer.of(8))),
  ],
};

/** Packets in a cluster: their times have to fit into 16 bits. */
const CLUSTER = 32_000;

/** Writes a Matroska file with one track. A packet has one byte of data, takes 7 bytes of the file and lasts 1 ms. */
export async function writePacketBomb(
  path: string,
  kind: keyof typeof CODECS,
  packets: number,
): Promise<string> {
  const file = await open(path, "w");
  try {
    const track = element(
      [0xae],
      element([0xd7], Buffer.of(1)),
      element([0x73, 0xc5], Buffer.of(1)),
      ...CODECS[kind],
    );
    await file.write(element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], text("matroska"))));
    // A segment of unknown length.
    await file.write(Buffer.of(0x18, 0x53, 0x80, 0x67, 0x01, ...Array(7).fill(0xff)));
    const scale = element([0x2a, 0xd7, 0xb1], Buffer.of(0x0f, 0x42, 0x40));
    await file.write(element([0x15, 0x49, 0xa9, 0x66], scale));
    await file.write(element([0x16, 0x54, 0xae, 0x6b], track));
    for (let first = 0; first < packets; first += CLUSTER) {
      const count = Math.min(CLUSTER, packets - first);
      const blocks = Buffer.alloc(count * 7);
      for (let i = 0; i < count; i++) {
        blocks.set([0xa3, 0x85, 0x81, i >> 8, i & 255, 0x80, 0x80], i * 7);
      }
      const at = Buffer.alloc(4);
      at.writeUInt32BE(first);
      await file.write(element([0x1f, 0x43, 0xb6, 0x75], element([0xe7], at), blocks));
    }
  } finally {
    await file.close();
  }
  return path;
}
