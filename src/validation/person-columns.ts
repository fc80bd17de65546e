/** Columns of a list of people, of a file or pasted (contract section 27). */
import { formatValue } from './format-value.ts';

const REQUIRED = ['documento', 'nome', 'empresa', 'papel'] as const;
const COLUMNS = [...REQUIRED, 'email'] as const;
export type PersonColumn = (typeof COLUMNS)[number];
export type PersonValues = Readonly<Partial<Record<PersonColumn, string>>>;

export const PERSON_HEADINGS =
  'A primeira linha dá os nomes das colunas: documento;nome;email;empresa;papel (email pode faltar).';

/** Returns the column of each heading, or why the headings cannot be read. */
export function personColumns(headings: readonly string[]): readonly PersonColumn[] | string {
  const columns: PersonColumn[] = [];
  for (const heading of headings) {
    const name = COLUMNS.find((one) => one === heading.trim().toLowerCase());
    if (name === undefined || columns.includes(name))
      return `a coluna ${formatValue(heading)} não serve. ${PERSON_HEADINGS}`;
    columns.push(name);
  }
  const missing = REQUIRED.filter((name) => !columns.includes(name));
  return missing.length === 0 ? columns : `não tem a coluna ${missing.join(', ')}. ${PERSON_HEADINGS}`;
}

/** Returns why a line cannot be used. `undefined`: it has every required value. */
export function personFault(values: PersonValues): string | undefined {
  const missing = REQUIRED.filter((name) => (values[name] ?? '') === '');
  return missing.length === 0
    ? undefined
    : `sem ${missing.join(', ')}: cada linha precisa de ${REQUIRED.join(', ')}.`;
}
