/** Groups the failures of an import by reason and member, in a Worker (contract section 24). */
import type { Day } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import type { ItemProblem } from '../../errors.ts';
import type { FileLimits } from '../../files/file-limits.ts';
import { type FileItem, readItems } from '../../files/json-members.ts';
import { About } from '../../http/error-forms.ts';
import { form, nullable, text, integerForm } from '../../validation/forms.ts';
import type { ImportKind, ItemResult } from './model.ts';
import { resultsOf } from './results.ts';
import { ImportStore } from './store.ts';
import { t } from '../../validation/type.ts';

/** Maximum rows, and maximum received values, in the answer for one reason. */
const ROWS_MAX = 10;
const RECEIVED_MAX = 20;
/** Maximum reasons in an answer. Only a hostile file has more. */
export const REASONS_MAX = 1000;

const Received = form('ReceivedValue', 'Um valor recebido, e em quantas linhas.', {
  value: text('O que a célula tinha; vazio onde não tinha nada.', 'Impor'),
  count: integerForm('Em quantas linhas.', 3),
});

const accepted = nullable(
  t.Array(t.String(), { description: 'Os textos aceitos, onde são uma lista; null onde não são.' }),
);

const Part = form('ReasonPart', 'O que um atributo composto tem.', {
  member: text('O subatributo.', 'atributo:ATT_90010/ATT_90011'),
  heading: text('Como se chama.', 'Material'),
  accepted,
});

export const ImportReason = form('ImportReason', 'Um motivo de falha, e as linhas que o têm.', {
  reason: text('Código da regra.', 'PUCX-ER0010'),
  heading: nullable(text('Como a planilha chama a coluna; de outros arquivos, o membro em palavras.', 'NCM')),
  member: nullable(
    text('O membro, ou atributo:CÓDIGO, ou atributo:CÓDIGO/SUBCÓDIGO; null quando é a linha inteira.', 'ncm'),
  ),
  message: text('A mensagem da primeira linha.', 'ncm: recebido "1"; aceita 8 dígitos.'),
  label: t.Optional(text('Nome do membro com que message começa.', 'ncm')),
  about: t.Optional(About),
  count: integerForm('Quantas linhas têm este erro.', 12),
  rows: t.Array(t.Integer({ minimum: 0 }), {
    description: `As ${ROWS_MAX} primeiras: de uma planilha, como ela as mostra; de outros arquivos, a linha em que o item começa. De um arquivo cujos itens estão todos na linha 1, o index de cada item, a partir de 0.`,
  }),
  received: t.Array(Received, {
    description: `De uma planilha, o que essas linhas traziam, do mais frequente ao menos; até ${RECEIVED_MAX}.`,
  }),
  accepted,
  ambiguous: nullable(
    text(
      'De uma planilha, um número recebido que tanto pode ser milhar como decimal; null onde não há. {member, decimal} de uma correção responde por toda a coluna.',
      '12.500',
    ),
  ),
  parts: t.Array(Part, {
    description: 'De um atributo composto, seus subatributos: são eles que se corrigem. Dos outros, nada.',
  }),
});
export type ImportReason = typeof ImportReason.static;

/** The message to the Worker. */
export interface ReasonsRead {
  readonly kind: 'importReasons';
  readonly id: number;
  readonly tipo: ImportKind;
  /** The day that selects the table in force. */
  readonly day: Day;
  readonly modalidadeAmbos: boolean;
  /** The instructions of a sheet, and where its rows are stored. Absent for other files. */
  readonly sheet: {
    readonly pedido: string;
    /** Absent: the rows are not stored any more. */
    readonly rows: { readonly file: string; readonly limits: FileLimits } | undefined;
  } | null;
}

/** The names of members, and the values that they accept. */
export interface ReasonWords {
  /** Returns the member as the target of a column names it. `null`: the whole row. */
  memberOf(problem: ItemProblem): string | null;
  headingOf(member: string): string;
  acceptedOf(member: string): string[] | null;
  /** Returns the parts of a compound. */
  partsOf(member: string): ImportReason['parts'];
  /** Returns the first value that may be thousands or decimals. `null`: there is none. */
  ambiguousIn(code: string, member: string, received: Iterable<string>): string | null;
  /** Returns what a row of a sheet has for the member. `undefined`: it cannot have a value for it. */
  receivedOf(item: unknown, member: string): string | undefined;
}

/** Results of one turn. Other work may run between turns. */
const RESULTS_PER_TURN = 200;

/** Yields the text of the answer. An empty text lets other work run. */
export async function* reasonTexts(
  db: Db,
  { id, sheet }: ReasonsRead,
  words: ReasonWords,
): AsyncGenerator<string> {
  const store = new ImportStore(db);
  const reasons = new Reasons(words);
  if (store.find(id)?.forgotten === 0) {
    const rowsFile = sheet?.rows;
    const rows = rowsFile && readItems(rowsFile.file, rowsFile.limits);
    try {
      let results = 0;
      for (const result of resultsOf(store, id, { outcome: 'failed' })) {
        reasons.add(result, rows && (await rowOf(rows, result)));
        if ((results += 1) % RESULTS_PER_TURN === 0) yield '';
      }
    } finally {
      await rows?.return();
    }
  }
  yield JSON.stringify(
    reasons.list({ byIndex: sheet === null && reasons.isOnLineOne && startsOnLineOne(store, id) }),
  );
}

/** Returns true if the second item also begins on line 1. Then line numbers do not identify items. */
const startsOnLineOne = (store: ImportStore, id: number): boolean =>
  store.listResults(id, undefined, 0, 1)[0]?.line === 1;

/** Returns the row of a result. Rows and results come in the order of the sheet. */
async function rowOf(rows: AsyncGenerator<FileItem>, { index }: ItemResult): Promise<unknown> {
  for (;;) {
    const { done, value } = await rows.next();
    if (done === true) return undefined;
    if (value.index === index) return value.value;
  }
}

interface Reason {
  readonly code: string;
  readonly member: string | null;
  readonly first: ItemProblem;
  /** The first items with this reason. */
  readonly items: Pick<ItemResult, 'index' | 'line'>[];
  readonly received: Map<string, number>;
  count: number;
  /** The last counted item. An item counts once for a reason. */
  index: number;
}

/** Groups the problems of items. */
export class Reasons {
  readonly #words: ReasonWords;
  readonly #all = new Map<string, Reason>();
  #lastLine = 1;

  constructor(words: ReasonWords) {
    this.#words = words;
  }

  /** Adds an item. `row`: its stored row, for a sheet. */
  add({ index, line, problems }: Pick<ItemResult, 'index' | 'line' | 'problems'>, row: unknown): void {
    this.#lastLine = Math.max(this.#lastLine, line);
    for (const problem of problems) {
      const member = problem.member ?? this.#words.memberOf(problem);
      const reason = this.#reasonOf(problem, member);
      if (reason.index === index) continue;
      reason.index = index;
      reason.count += 1;
      if (reason.items.length < ROWS_MAX) reason.items.push({ index, line });
      if (row === undefined || member === null) continue;
      const value = this.#words.receivedOf(row, member);
      if (value === undefined) continue;
      reason.received.set(value, (reason.received.get(value) ?? 0) + 1);
    }
  }

  /** Returns true if each added item begins on line 1. */
  get isOnLineOne(): boolean {
    return this.#lastLine === 1;
  }

  /** Returns the reasons, most frequent first. `byIndex`: rows are indexes of items, not lines. */
  list({ byIndex = false } = {}): readonly ImportReason[] {
    return [...this.#all.values()]
      .toSorted((a, b) => b.count - a.count)
      .slice(0, REASONS_MAX)
      .map(({ code, member, first, count, items, received }) => ({
        reason: code,
        heading: first.heading ?? (member === null ? null : this.#words.headingOf(member)),
        member,
        message: first.message,
        ...(first.label !== undefined && { label: first.label }),
        ...(first.about !== undefined && { about: first.about }),
        count,
        rows: items.map(({ index, line }) => (byIndex ? index : line)),
        received: [...received]
          .map(([value, times]) => ({ value, count: times }))
          .toSorted((a, b) => b.count - a.count)
          .slice(0, RECEIVED_MAX),
        accepted: member === null ? null : this.#words.acceptedOf(member),
        ambiguous: member === null ? null : this.#words.ambiguousIn(code, member, received.keys()),
        parts: member === null ? [] : this.#words.partsOf(member),
      }));
  }

  #reasonOf(first: ItemProblem, member: string | null): Reason {
    const { code } = first;
    const key = `${code} ${member ?? ''}`;
    const existingReason = this.#all.get(key);
    if (existingReason !== undefined) return existingReason;
    const newReason = {
      code,
      member,
      first,
      items: [],
      received: new Map<string, number>(),
      count: 0,
      index: -1,
    };
    this.#all.set(key, newReason);
    return newReason;
  }
}
