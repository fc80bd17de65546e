/** The lines of a spreadsheet that failed, as they were, with what is wrong beside them: to be corrected and imported again. */
import type { ImportProgress, ImportResult } from '../../api/answers.ts';
import type { Download } from '../../api/client.ts';
import type { Result } from '../../api/result.ts';
import { rememberMapping } from '../sheet/mapping.ts';
import { csvOf, type Table, xlsxOf } from '../sheet/write.ts';
import type { Upload } from '../upload.ts';
import { allResults } from './all-results.ts';

type FromSheet = NonNullable<Upload['from']>;

const ERROR_HEADING = 'Erro na importação';

export async function failedLines(
  job: ImportProgress,
  from: FromSheet,
  format: 'csv' | 'xlsx',
): Promise<Result<Download>> {
  const failed = await allResults(job.id, 'failed');
  if (!failed.ok) return failed;
  const table = failedTable(failed.value, from);
  // The corrected file is read as the first one was.
  rememberMapping(job.tipo, table[0] ?? [], [...mappingFor(from), null]);
  const content = format === 'csv' ? csvOf(table) : await xlsxOf(table, 'Com erro');
  const [name = ''] = job.fileName.split(/\.[^.]*$/);
  return { ...failed, value: { name: `${name}_corrigir.${format}`, content } };
}

function failedTable(failed: readonly ImportResult[], { sheet }: FromSheet): Table {
  const { headings } = sheet;
  const rows = new Map(sheet.rows.map((row) => [row.line, row.cells]));
  return [
    [...headings, ERROR_HEADING],
    ...failed.map(({ line, errors }) => [
      ...headings.map((_, place) => rows.get(line)?.[place]?.text ?? ''),
      errors.join(' '),
    ]),
  ];
}

/** One target for each heading, also where the last ones were never mapped. */
const mappingFor = ({ sheet, mapping }: FromSheet) =>
  sheet.headings.map((_, place) => mapping[place] ?? null);
