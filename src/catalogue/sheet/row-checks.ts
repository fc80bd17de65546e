/** Checks each row of a sheet, of any kind. */
import { DomainError, unprocessable } from '../../errors.ts';
import { requireRepresentation } from '../../session/guard.ts';
import { columnLetters } from '../../sheet/cell.ts';
import type { Caller } from '../../session/model.ts';
import { formatValue } from '../../validation/format-value.ts';
import type { AppliedItem } from '../batch.ts';
import { CATALOGUE_CODES, type CatalogueRule, violated } from '../codes.ts';
import type { SheetKey } from './instructions.ts';
import type { SheetReading } from './row.ts';
import type { SheetItem } from './rows.ts';

const ROOT_LENGTH = 8;
const CNPJ_LENGTH = 14;

/** Throws 403. A row that names another company has a problem. */
export function refuseCompany(
  caller: Caller,
  cpfCnpjRaiz: string,
  company: string | null | undefined,
  reading: SheetReading,
): void {
  requireRepresentation(caller, cpfCnpjRaiz);
  if (company === undefined || company === null) return;
  const root = company.length === CNPJ_LENGTH ? company.slice(0, ROOT_LENGTH) : company;
  if (root !== cpfCnpjRaiz)
    refuseRow(
      reading,
      'otherCompany',
      `recebido ${formatValue(company)}; esta importação é de ${cpfCnpjRaiz}. Importe a linha naquela empresa.`,
      'cpfCnpjRaiz',
    );
}

export const refuseRow = (
  reading: SheetReading,
  rule: CatalogueRule,
  message: string,
  target: string,
): void =>
  reading.refuse(
    message,
    reading.cells.find((targetCell) => targetCell.target === target) ?? { target },
    CATALOGUE_CODES[rule].code,
  );

/** Refuses a row that deactivates a record which does not exist. */
export function refuseNewDeactivated(reading: SheetReading, situacao: unknown, key: SheetKey): void {
  if (situacao !== 'DESATIVADO') return;
  const keyText =
    key === 'nenhuma' ? '' : reading.cellText(reading.cells.find(isKeyCell(key))?.target ?? key);
  refuseRow(
    reading,
    'codeRequired',
    `recebido ${formatValue(reading.cellText('situacao'))}; não há no catálogo o registro${keyText === '' ? '' : ` ${formatValue(keyText)}`} que a linha desativaria, e um novo não entra desativado. Deixe a linha de fora, ou mude a situação.`,
    'situacao',
  );
}

const isKeyCell =
  (key: SheetKey) =>
  ({ target, cell }: SheetReading['cells'][number]): boolean =>
    cell !== undefined && (target === key || (key === 'codigoInterno' && target === 'codigosInterno'));

/** Returns the record that a key identifies: of several, the only active one. Throws 422. */
export function identifiedRecord<R extends { readonly codigo: string | number; readonly situacao: string }>(
  records: readonly R[],
  noun: 'produtos' | 'operadores',
  reading: SheetReading,
  target: string,
): R | undefined {
  const active = records.filter(({ situacao }) => situacao !== 'DESATIVADO');
  const candidates = active.length > 0 ? active : records;
  if (candidates.length > 1)
    throw refusalOf(
      reading,
      'severalRecords',
      `este código é dos ${noun} ${candidates.map(({ codigo }) => codigo).join(', ')}; diga qual deles em uma coluna Código.`,
      target,
    );
  return candidates[0];
}

/** Adds a problem to a row whose key an earlier row has. */
export function refuseRepeat(
  { repeats, repeatsAt, row }: SheetItem,
  reading: SheetReading,
  target: string,
): void {
  if (repeats === undefined) return;
  const cell = repeatsAt === undefined ? undefined : `${columnLetters(repeatsAt)}${row}`;
  const placed = reading.cells.find(({ at }) => at !== null && at === cell);
  const message = `mesma chave da linha ${repeats}; deixe uma das duas.`;
  if (placed === undefined) refuseRow(reading, 'repeatedKey', message, target);
  else reading.refuse(message, placed, CATALOGUE_CODES.repeatedKey.code);
}

/** Throws 422 if other changes would result than a dry run showed. */
export function refuseOtherChanges(
  { seen: expectedChanges, row }: SheetItem,
  { changes = [] }: AppliedItem,
): void {
  if (expectedChanges === undefined || JSON.stringify(expectedChanges) === JSON.stringify(changes)) return;
  const message = `mudouDepois: a linha ${row} mudaria outra coisa agora do que a simulação mostrou; simule de novo.`;
  throw unprocessable([violated('changedSince', null, message)]);
}

/** Runs the rules, and adds the place in the sheet to their refusals. */
export function withPlaces<T>(reading: SheetReading, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DomainError) || error.problems.length === 0) throw error;
    const problems = error.problems.map((problem) =>
      problem.at === undefined
        ? reading.withPosition(problem, memberOf(reading, problem.path, problem.about?.attribute))
        : problem,
    );
    throw new DomainError(error.kind, error.message, { ...error.options, problems, cause: error });
  }
}

/** Returns the target of a problem, if it names one. */
function memberOf(reading: SheetReading, path: string | null, attribute: string | undefined): string | null {
  if (attribute !== undefined) {
    const partCell = reading.cells.find(({ target }) => target.endsWith(`/${attribute}`));
    return partCell?.target ?? `atributo:${attribute}`;
  }
  const [, member] = (path ?? '').split('/');
  return member === undefined || member === '' || member.startsWith('atributos') ? null : member;
}

/** Builds the refusal of a row. */
export function refusalOf(
  reading: SheetReading,
  rule: CatalogueRule,
  message: string,
  target: string,
): DomainError {
  refuseRow(reading, rule, message, target);
  return unprocessable(reading.problems);
}
