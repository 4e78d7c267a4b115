import {
  type Certificate,
  deviationsIn,
  reservationsIn,
  shown,
} from "../../evals/certificate/certificate.ts";
import { printable, table } from "./output.ts";

/** Characters of a cell. */
const LONGEST = 44;

/** The certificate of a run for a person: every aspect, what is published, and what the run has. */
export function renderCertificate(certificate: Certificate): string {
  const { model, aspects, source } = certificate;
  const rows = aspects.map(({ aspect, wanted, got, verdict, note }) =>
    [aspect, brief(wanted), brief(got), verdict, note ?? ""].map(printable),
  );
  return [
    `certificate: ${source}; model ${model.published ?? "not in its tables"}`,
    ...model.conflicts.map((conflict) => `conflict: ${conflict}`),
    ...(model.note === null ? [] : [`model: ${printable(model.note)}`]),
    table([["aspect", "published", "this run", "verdict", "note"], ...rows]),
    summary(certificate),
  ].join("\n");
}

/** One line: may the run be listed with the published results, and if not, why. */
export function renderVerdict(certificate: Certificate): string {
  const different = deviationsIn(certificate);
  const open = reservationsIn(certificate);
  const lines = [summary(certificate)];
  if (different.length > 0) lines.push(...different.map((clause) => `different: ${clause}`));
  else if (certificate.model.note !== null) lines.push(`model: ${certificate.model.note}`);
  if (certificate.comparable && open.length > 0)
    lines.push(`not certifiable: ${open.length} aspects (--json lists them)`);
  return lines.map(printable).join("\n");
}

function summary({ aspects, comparable }: Certificate): string {
  const count = (of: string) => aspects.filter(({ verdict }) => verdict === of).length;
  const may = comparable
    ? "can be listed with the published results"
    : "not comparable with the published results";
  return `${may}: ${count("equal")} aspects equal, ${count("different")} different, ${count("not certifiable")} not certifiable`;
}

/** Hashes and long rules are shortened. */
function brief(value: unknown): string {
  const text = shown(value);
  if (/^[0-9a-f]{64}$/.test(text)) return `${text.slice(0, 12)}...`;
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 3)}...` : text;
}
