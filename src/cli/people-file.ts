/** `catp user import`: gives the people of a list access, one line for each person and company (contract section 27). */
import { accountSchemas } from '../session/account-schemas.ts';
import { catalogueRules } from '../catalogue/rules.ts';
import { DomainError, OperatorError } from '../errors.ts';
import { refuseUnreadable } from '../files/from-operator.ts';
import { UnreadableFile } from '../files/unreadable-file.ts';
import { COMMAND_LINE } from '../session/model.ts';
import { openSheets } from '../sheet/read.ts';
import { counted } from '../validation/text.ts';
import { shown } from '../validation/shown.ts';
import { checked, say } from './folder-command.ts';
import type { OpenFolder } from './open.ts';

const REQUIRED = ['documento', 'nome', 'empresa', 'papel'] as const;
const COLUMNS = [...REQUIRED, 'email'] as const;
type ColumnName = (typeof COLUMNS)[number];

interface PersonLine {
  readonly row: number;
  readonly values: Readonly<Partial<Record<ColumnName, string>>>;
}

/**
 * Returns the exit code: 1 when a line failed. A line that fails does nothing; the others are done. Throws
 * `OperatorError` for a file that is no such list.
 */
export async function importPeople(open: OpenFolder, file: string, isDryRun: boolean): Promise<number> {
  const { accounts } = open.session;
  const { Access } = accountSchemas(catalogueRules(open.settings));
  let failed = 0;
  const lines = await linesOf(file);
  for (const { row, values } of lines) {
    try {
      const { documento, nome, email, empresa, papel } = values;
      requireAll(values);
      const grant = { documento, nome, email, papel, companies: [empresa] };
      await accounts.giveAccess(checked(Access, grant), COMMAND_LINE, isDryRun);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      failed += 1;
      const reasons = error.problems.map(({ message }) => message);
      process.stderr.write(`linha ${row}: ${(reasons.length > 0 ? reasons : [error.message]).join(' ')}\n`);
    }
  }
  const done = lines.length - failed;
  const outcome = isDryRun
    ? `Simulação, nada foi gravado: ${counted(done, 'acesso')} em ordem`
    : counted(done, 'acesso dado', 'acessos dados');
  say(`${outcome}; ${counted(failed, 'linha com erro', 'linhas com erro')}.`);
  return failed > 0 ? 1 : 0;
}

/** Throws 422 for a line without a required value. */
function requireAll(values: PersonLine['values']): void {
  const missing = REQUIRED.filter((name) => (values[name] ?? '') === '');
  if (missing.length > 0)
    throw new DomainError(
      'unprocessable',
      `sem ${missing.join(', ')}: cada linha precisa de ${REQUIRED.join(', ')}.`,
    );
}

async function linesOf(file: string): Promise<readonly PersonLine[]> {
  refuseUnreadable(file);
  try {
    const sheets = await openSheets(file);
    try {
      const [table] = sheets.tables;
      const lines: PersonLine[] = [];
      let columns: ReadonlyMap<number, ColumnName> | undefined;
      for await (const { row, cells } of table?.rows() ?? []) {
        if (columns === undefined) {
          columns = columnsIn(
            file,
            [...cells].map(([at, { text }]) => [at, text] as const),
          );
          continue;
        }
        const values: Partial<Record<ColumnName, string>> = {};
        for (const [at, name] of columns) values[name] = cells.get(at)?.text.trim() ?? '';
        if (values.email === '') delete values.email;
        lines.push({ row, values });
      }
      if (lines.length === 0) throw new OperatorError(`A lista ${file} não tem linhas. ${EXPECTED}`);
      return lines;
    } finally {
      sheets.close();
    }
  } catch (error) {
    throw error instanceof UnreadableFile ? new OperatorError(`A lista ${file}: ${error.message}`) : error;
  }
}

const EXPECTED = `A primeira linha dá os nomes das colunas: documento;nome;email;empresa;papel (email pode faltar).`;

function columnsIn(
  file: string,
  headings: readonly (readonly [at: number, heading: string])[],
): ReadonlyMap<number, ColumnName> {
  const columns = new Map<number, ColumnName>();
  for (const [at, heading] of headings) {
    const name = COLUMNS.find((one) => one === heading.trim().toLowerCase());
    if (name === undefined || [...columns.values()].includes(name))
      throw new OperatorError(`A lista ${file} tem a coluna ${shown(heading)}, que não serve. ${EXPECTED}`);
    columns.set(at, name);
  }
  const missing = REQUIRED.filter((name) => ![...columns.values()].includes(name));
  if (missing.length > 0)
    throw new OperatorError(`A lista ${file} não tem a coluna ${missing.join(', ')}. ${EXPECTED}`);
  return columns;
}
