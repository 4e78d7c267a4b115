import { type Certificate, shown } from "../../../../evals/certificate/certificate.ts";
import { printable, table } from "../output.ts";

/** Maximum characters of a cell. */
const MAX_LENGTH = 44;

/** The certificate of a run as a table: each aspect with its published value and that of the run. */
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

/** Whether the run may be listed with the published results, and which aspects differ or are open. */
export function renderVerdict(certificate: Certificate): string {
  const { model, aspects } = certificate;
  const named = (of: string) =>
    aspects.flatMap(({ aspect, verdict }) => (verdict === of ? [aspect] : [])).join(", ");
  const lines = [
    summary(certificate),
    ...(model.note === null ? [] : [`model: ${model.note}`]),
    ...["different", "not certifiable"].flatMap((of) =>
      named(of) === "" ? [] : [`${of}: ${named(of)}`],
    ),
    "--json shows the published values and those of the run",
  ];
  return lines.map(printable).join("\n");
}

function summary({ aspects, comparable }: Certificate): string {
  const count = (of: string) => aspects.filter(({ verdict }) => verdict === of).length;
  const may = comparable
    ? "can be listed with the published results"
    : "not comparable with the published results";
  return `${may}: ${count("equal")} aspects equal, ${count("different")} different, ${count("not certifiable")} not certifiable`;
}

/** Shortens hashes and long values. */
function brief(value: unknown): string {
  const text = shown(value);
  if (/^[0-9a-f]{64}$/.test(text)) return `${text.slice(0, 12)}...`;
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 3)}...` : text;
}
