/** A sheet to fill in: the columns of a kind, the attributes of an NCM where one was named, and a row of examples. */
import type { ImportKind } from '../kinds.ts';
import type { AttributeForms } from './attributes.ts';
import { COLUMNS } from './columns.ts';
import type { Table } from './write.ts';

/** Columns that only somebody needs who corrects what is there already. */
const SELDOM = new Set(['cpfCnpjRaiz', 'versao', 'situacao', 'dataReferencia', 'vincular']);

export function templateOf(kind: ImportKind, forms: AttributeForms = new Map()): Table {
  const columns = COLUMNS[kind].filter(({ member }) => !SELDOM.has(member));
  const attributes = kind === 'produto' ? [...forms.values()] : [];
  return [
    [
      ...columns.map(({ label }) => label),
      ...attributes.map(({ codigo, nomeApresentacao }) => `${codigo} - ${nomeApresentacao}`),
    ],
    [
      ...columns.map(({ example }) => example),
      ...attributes.map(({ formaPreenchimento, dominio }) =>
        exampleOf(formaPreenchimento, dominio[0]?.descricao),
      ),
    ],
  ];
}

function exampleOf(form: string, ofDomain: string | undefined): string {
  if (form === 'BOOLEANO') return 'SIM';
  if (ofDomain !== undefined) return ofDomain;
  return (
    { DATA: '31/12/2026', DATA_HORA: '31/12/2026 10:30', NUMERO_INTEIRO: '1', NUMERO_REAL: '1,5' }[form] ?? ''
  );
}
