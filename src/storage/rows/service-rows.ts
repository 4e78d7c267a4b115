import type { QuestionRow, UploadRow } from "../../core/contracts.ts";
import { UploadMedia } from "./json-columns.ts";

type Row = Record<string, unknown>;

/** A row of the table `uploads`; empty for a damaged row. */
export function uploadRow(row: Row): UploadRow[] {
  const video = mediaOf(row.json);
  if (video === undefined) return [];
  return [
    {
      id: String(row.id),
      owner: String(row.owner),
      name: String(row.name),
      size: Number(row.size),
      created_at: Number(row.created_at),
      video,
    },
  ];
}

/** Null until the upload is a video; undefined if the JSON is damaged. */
function mediaOf(json: unknown): UploadRow["video"] | undefined {
  if (typeof json !== "string") return null;
  try {
    return UploadMedia.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

/** A row of the table `asked`. */
export function questionRow(row: Row): QuestionRow {
  return {
    id: String(row.id),
    upload: String(row.upload),
    owner: String(row.owner),
    open: row.open === 1,
    created_at: Number(row.created_at),
    json: String(row.json),
  };
}
