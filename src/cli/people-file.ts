/** `catp user import`: gives the people of a list access, one line for each person and company (contract section 27). */
import { accountSchemas } from '../session/account-schemas.ts';
import { catalogueRules } from '../catalogue/rules.ts';
import { DomainError, OperatorError } from '../errors.ts';
import { refuseUnreadable } from '../files/from-operator.ts';
import { UnreadableFile } from '../files/unreadable-file.ts';
import { COMMAND_LINE } from '../session/model.ts';
import { openSheets } from '../sheet/read.ts';
import { withCount } from '../validation/text.ts';
import {
  type PersonColumn,
  type PersonValues,
  PERSON_HEADINGS,
  personColumns,
  personFault,
} from '../validation/person-columns.ts';
import { checkNumbers } from './account-numbers.ts';
import { checked, printLine } from './folder-command.ts';
import type { OpenFolder } from './open.ts';

interface PersonLine {
  readonly row: number;
  readonly values: PersonValues;
}

/**
 * Returns the exit code: 1 when a line failed. A failed line changes no account; the others are applied.
 * Throws `OperatorError` for a file that is no such list.
 */
export async function importPeople(open: OpenFolder, file: string, isDryRun: boolean): Promise<number> {
  const { accounts } = open.session;
  const { Access } = accountSchemas(catalogueRules(open.settings));
  let failed = 0;
  const lines = await linesOf(file);
  for (const { row, values } of lines) {
    try {
      const { documento, nome, email, empresa, papel } = values;
      const fault = personFault(values);
      if (fault !== undefined) throw new OperatorError(fault);
      checkNumbers(open.settings, { documento, empresa });
      const grant = { documento, nome, email, papel, companies: [empresa] };
      await accounts.giveAccess(checked(Access, grant), COMMAND_LINE, isDryRun);
    } catch (error) {
      if (!(error instanceof DomainError || error instanceof OperatorError)) throw error;
      failed += 1;
      const reasons = error instanceof DomainError ? error.problems.map(({ message }) => message) : [];
      process.stderr.write(`linha ${row}: ${(reasons.length > 0 ? reasons : [error.message]).join(' ')}\n`);
    }
  }
  const done = lines.length - failed;
  const outcome = isDryRun
    ? `Simulação, nada foi gravado: ${withCount(done, 'acesso')} em ordem`
    : withCount(done, 'acesso dado', 'acessos dados');
  printLine(`${outcome}; ${withCount(failed, 'linha com erro', 'linhas com erro')}.`);
  return failed > 0 ? 1 : 0;
}

async function linesOf(file: string): Promise<readonly PersonLine[]> {
  refuseUnreadable(file);
  try {
    const sheets = await openSheets(file);
    try {
      const [table] = sheets.tables;
      const lines: PersonLine[] = [];
      let columns: ReadonlyMap<number, PersonColumn> | undefined;
      for await (const { row, cells } of table?.rows() ?? []) {
        if (columns === undefined) {
          columns = columnsIn(file, cells);
          continue;
        }
        const values: Partial<Record<PersonColumn, string>> = {};
        for (const [index, name] of columns) values[name] = cells.get(index)?.text.trim() ?? '';
        if (values.email === '') delete values.email;
        lines.push({ row, values });
      }
      if (lines.length === 0) throw new OperatorError(`A lista ${file} não tem linhas. ${PERSON_HEADINGS}`);
      return lines;
    } finally {
      sheets.close();
    }
  } catch (error) {
    throw error instanceof UnreadableFile ? new OperatorError(`A lista ${file}: ${error.message}`) : error;
  }
}

function columnsIn(
  file: string,
  cells: ReadonlyMap<number, { readonly text: string }>,
): ReadonlyMap<number, PersonColumn> {
  const columns = personColumns([...cells.values()].map(({ text }) => text));
  if (typeof columns === 'string') throw new OperatorError(`A lista ${file}: ${columns}`);
  return new Map([...cells.keys()].map((index, place) => [index, columns[place] as PersonColumn])); // one for each
}
