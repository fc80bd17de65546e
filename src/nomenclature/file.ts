/** Reads the public nomenclature file (contract section 20): bytes in, plain rows or precise faults out. */
import type { Day } from '../clock.ts';
import type { Problem } from '../errors.ts';
import { formatValue } from '../validation/format-value.ts';
import { isDay } from '../validation/calendar.ts';
import { parseJson } from '../files/json-file.ts';
import { type Members, TableReader } from '../catalogue/attribute/file/reader.ts';
import { NOMENCLATURE_CODES } from './codes.ts';
import type { NomenclatureHead, NomenclatureLine, NomenclatureRow } from './model.ts';
import { wordsOf } from './search.ts';
import { rowsOf } from './terms.ts';

export type ReadNomenclature =
  | { readonly ok: true; readonly head: NomenclatureHead; readonly rows: Iterable<NomenclatureRow> }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Returns rows by code, and within a code by their first day; or at most the first 20 faults of a refused
 * file.
 */
export function readNomenclature(file: Uint8Array): ReadNomenclature {
  const parsed = parseJson(file);
  if (!parsed.ok) return { ok: false, problems: [notJson(parsed.reason)] };
  // It is unknown which of two was meant (contract section 3).
  if (parsed.repeated.length > 0)
    return {
      ok: false,
      problems: parsed.repeated.map((problem) => ({ ...problem, code: NOMENCLATURE_CODES.layout.code })),
    };
  const reader = new TableReader(NOMENCLATURE_CODES);
  const root = reader.object(parsed.value);
  const lines = root && reader.each(root, 'Nomenclaturas', (item) => readLine(reader, item), true);
  if (lines?.length === 0 && reader.faults.length === 0)
    reader.fault(NOMENCLATURE_CODES.layout, 'a lista está vazia.', 'Nomenclaturas');
  const head = root && { updated: reader.text(root, UPDATED), act: reader.text(root, 'Ato') };
  if (lines === undefined || head === undefined || reader.faults.length > 0)
    return { ok: false, problems: reader.faults };
  lines.sort(([code, , start], [other, , begun]) => compared(code, other) || compared(start, begun));
  const ncms = new Set(lines.map(([codigo]) => codigo).filter(isFullNcm)).size;
  return { ok: true, head: { ...head, rows: lines.length, ncms }, rows: rowsOf(lines) };
}

const UPDATED = 'Data_Ultima_Atualizacao_NCM';

export const isFullNcm = (codigo: string): boolean => codigo.length === 8;

const compared = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

export const notJson = (reason: string): Problem => ({
  code: NOMENCLATURE_CODES.notJson.code,
  message: `Nomenclatura: ${reason}`,
  field: null,
  path: null,
});

/** Matches `01`, `01.01`, `0101.2`, `0101.21`, `0101.21.0`, `0101.21.00`, or the digits alone. */
const CODE = /^(?:\d\d|\d\d\.?\d\d|\d{4}\.?\d\d?|\d{4}\.?\d\d\.?\d\d?)$/;
const CODE_MAX = 10;

function readLine(reader: TableReader, item: unknown): NomenclatureLine | undefined {
  const members = reader.object(item);
  if (members === undefined) return undefined;
  const written = reader.requiredText(members, 'Codigo', CODE_MAX);
  if (written !== '' && !CODE.test(written))
    reader.fault(
      NOMENCLATURE_CODES.layout,
      `recebido ${formatValue(written)}; aceita 2, 4, 5, 6, 7 ou 8 dígitos: "01", "01.01", "0101.2", "0101.21", "0101.21.00".`,
      'Codigo',
    );
  const descricao = reader.requiredText(members, 'Descricao', DESCRIPTION_MAX);
  const startsOn = readDay(reader, members, 'Data_Inicio');
  const endsOn = readDay(reader, members, 'Data_Fim');
  if (endsOn !== '' && endsOn < startsOn)
    reader.fault(NOMENCLATURE_CODES.layout, 'o fim vem antes do início.', 'Data_Fim');
  return [
    ...([written.replaceAll('.', ''), descricao, startsOn] as const),
    ...([
      isOpen(endsOn) ? '' : endsOn,
      wordsOf(descricao)
        .map((word) => ` ${word}`)
        .join(''),
    ] as const),
  ];
}

const DESCRIPTION_MAX = 20_000;

/** The public file writes 31/12/9999 for an open end. */
const isOpen = (day: Day): boolean => day.startsWith('9999');

function readDay(reader: TableReader, members: Members, name: string): Day {
  const written = reader.requiredText(members, name, DAY_MAX);
  const day = written.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$2-$1');
  if (written !== '' && (day === written || !isDay(day)))
    reader.fault(
      NOMENCLATURE_CODES.layout,
      `recebido ${formatValue(written)}; aceita um dia dd/mm/aaaa, "01/04/2022".`,
      name,
    );
  return day;
}

const DAY_MAX = 100;
