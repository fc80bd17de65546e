/**
 * Writes the differences as files for the upload screen (contract section 18), numbered in the order of
 * sending, at most 100 items each. Runs in a reading Worker. Each text is one file, as JSON.
 */
import { iterateOperators } from '../catalogue/foreign-operator/list-query.ts';
import { printRecord } from '../catalogue/foreign-operator/record.ts';
import { iterateProducts } from '../catalogue/product/list-query.ts';
import { printListItem } from '../catalogue/product/record.ts';
import { prettyRecord } from '../catalogue/listed.ts';
import type { Db } from '../db/open.ts';
import { linkOfKey } from './compare/link.ts';
import type { RemoteKind, RemoteState } from './compare/model.ts';
import type { StoredRecordComparison } from './model.ts';
import { recordsIn } from './record-list-query.ts';
import { codeOfKey } from './forms.ts';

export interface RemoteFilesRead {
  readonly kind: 'remoteFiles';
  readonly comparisonId: number;
  readonly cpfCnpjRaiz: string;
  readonly remote: string;
  readonly kinds: readonly RemoteKind[];
  readonly states: readonly SentState[];
}

/** A file of the ZIP. */
export interface UploadFile {
  readonly name: string;
  readonly text: string;
}

/** States whose records are sent as they are now. */
export const SENT_STATES = ['soAqui', 'mudouAqui', 'desativadoAqui'] as const;
export type SentState = (typeof SENT_STATES)[number];

/** The item limit of the upload screen. */
const ITEMS_PER_FILE = 100;

type Item = Record<string, unknown>;

interface Step {
  readonly kind: RemoteKind;
  readonly states: readonly RemoteState[];
  /** The word in the file name. */
  readonly word: string;
}

/** Steps in order: operators, products, links, unlinks, deactivations. */
const STEPS: readonly Step[] = [
  { kind: 'operador', states: ['soAqui', 'mudouAqui'], word: 'operadores' },
  { kind: 'produto', states: ['soAqui', 'mudouAqui'], word: 'produtos' },
  { kind: 'vinculo', states: ['soAqui'], word: 'vinculos' },
  { kind: 'vinculo', states: ['desativadoAqui'], word: 'desvinculos' },
  { kind: 'produto', states: ['desativadoAqui'], word: 'produtos-a-desativar' },
  { kind: 'operador', states: ['desativadoAqui'], word: 'operadores-a-desativar' },
];

const NUMBER_DIGITS = 4;

export function* remoteFileTexts(db: Db, read: RemoteFilesRead): Generator<string> {
  let number = 0;
  let waiting = 0;
  const lines: string[] = [];
  for (const step of STEPS) {
    if (!read.kinds.includes(step.kind)) continue;
    let items: Item[] = [];
    let files = 0;
    let total = 0;
    const file = (): string => {
      [number, files, total] = [number + 1, files + 1, total + items.length];
      const name = `${String(number).padStart(NUMBER_DIGITS, '0')}-${step.word}.json`;
      const texts = items.map((item, index) => prettyRecord({ ...item, seq: index + 1 }));
      items = [];
      return JSON.stringify({ name, text: `[\n${texts.join(',\n')}\n]\n` } satisfies UploadFile);
    };
    for (const item of itemsOf(db, read, step)) {
      if (item === undefined) waiting += 1;
      else items.push(item);
      if (items.length === ITEMS_PER_FILE) yield file();
    }
    if (items.length > 0) yield file();
    if (total > 0) lines.push(`${step.word}: ${total} em ${files} arquivo(s)`);
  }
  yield JSON.stringify({ name: 'LEIA-ME.txt', text: readMe(read, lines, waiting) } satisfies UploadFile);
}

/** Yields the items of a step. `undefined`: a link that waits until its record exists in the remote. */
function* itemsOf(db: Db, read: RemoteFilesRead, { kind, states }: Step): Generator<Item | undefined> {
  const { cpfCnpjRaiz, comparisonId } = read;
  for (const state of states.filter((ownState) =>
    read.states.some((requestedState) => requestedState === ownState),
  ))
    for (const record of recordsIn(db, { comparisonId, kind, state }))
      if (kind === 'vinculo') yield linkItem(cpfCnpjRaiz, record);
      else yield* contentItem(db, cpfCnpjRaiz, record);
}

function linkItem(cpfCnpjRaiz: string, { remoteKey, state }: StoredRecordComparison): Item | undefined {
  if (remoteKey === null) return undefined;
  return { seq: 0, cpfCnpjRaiz, ...linkOfKey(remoteKey), vincular: state === 'soAqui' };
}

/** Yields the current content of the record under its remote code. */
function* contentItem(db: Db, cpfCnpjRaiz: string, record: StoredRecordComparison): Generator<Item> {
  const { kind, localKey, remoteKey, state } = record;
  if (localKey === null) return;
  const place = { cpfCnpjRaiz, seq: 0 };
  const items =
    kind === 'produto'
      ? mapRows(iterateProducts(db, { cpfCnpjRaiz, codigo: Number(localKey) }), (row) =>
          printListItem.record(row, place),
        )
      : mapRows(iterateOperators(db, { cpfCnpjRaiz, codigo: localKey, withoutDeactivated: false }), (row) =>
          printRecord.record(row, place),
        );
  for (const { codigo: _, versao: __, situacao: ___, ...content } of items)
    yield {
      ...content,
      ...(remoteKey !== null && {
        codigo: kind === 'produto' ? Number(remoteKey) : codeOfKey(kind, remoteKey),
      }),
      ...(state === 'desativadoAqui' && { situacao: 'DESATIVADO' }),
    };
}

function* mapRows<Row>(rows: Iterable<Row | undefined>, convert: (row: Row) => Item): Generator<Item> {
  for (const row of rows) if (row !== undefined) yield convert(row);
}

const readMe = (
  { remote, cpfCnpjRaiz, comparisonId }: RemoteFilesRead,
  lines: readonly string[],
  waiting: number,
): string =>
  [
    `O que falta enviar a ${remote}, da empresa ${cpfCnpjRaiz}, pela comparação ${comparisonId}.`,
    '',
    'Envie os arquivos na tela de upload do Catálogo de Produtos, na ordem de seus números; cada um tem até',
    `${ITEMS_PER_FILE} itens. Confira o resultado de cada arquivo antes de enviar o seguinte.`,
    '',
    ...(lines.length === 0 ? ['Nada falta: nenhum registro está nos estados pedidos.'] : lines),
    '',
    ...(waiting === 0
      ? []
      : [
          `${waiting} vínculo(s) são de produtos ou operadores que ainda não estão lá e por isso não têm código lá: vêm em`,
          'uma segunda rodada. Depois de enviar estes arquivos, exporte de novo lá, compare com as exportações novas e',
          'baixe os arquivos dessa comparação.',
          '',
        ]),
    'Nunca envie o mesmo arquivo duas vezes: um item sem codigo inclui um registro novo a cada envio. Na dúvida,',
    'exporte e compare de novo.',
    '',
  ].join('\r\n');
