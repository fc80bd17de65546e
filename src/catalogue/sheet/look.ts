/** A spreadsheet looked through in a Worker: what it has, where its columns go and why (contract section 24). */
import type { Day } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import type { Guess } from '../../sheet/column.ts';
import { filledIn } from '../../sheet/form.ts';
import { UNKNOWN_COLUMN } from '../../sheet/guess.ts';
import { type LookedSheet, type ReadColumn, lookAt, nothingBelow } from '../../sheet/look.ts';
import { openSheets } from '../../sheet/read.ts';
import { UnreadableSheet, type UnreadableSheetReason } from '../../sheet/unreadable-sheet.ts';
import { words } from '../../sheet/words.ts';
import type { NamedAttributes } from '../attribute/words/model.ts';
import { namesOf, targetNamed } from './attribute-names.ts';
import type { ImportKind } from '../import/model.ts';
import { sheetKind } from './kinds.ts';
import { type NamedTarget, kindSeen, targetsOf } from './targets.ts';
import { type Choice, ncmsOfCompany } from './store.ts';

/** As it crosses to the Worker. */
export interface SheetLookRead {
  readonly kind: 'sheetLook';
  readonly file: string;
  readonly tipo: ImportKind;
  readonly cpfCnpjRaiz: string;
  readonly day: Day;
  readonly choices: readonly Choice[];
  /** Only this sheet of it is looked at. */
  readonly table?: number | undefined;
  readonly headerRow?: number | undefined;
}

/** What the Worker answers: a refusal is a value there. */
export type SheetLooked =
  | { readonly sheets: readonly PlacedSheet[]; readonly refused?: never }
  | { readonly refused: { readonly reason: UnreadableSheetReason; readonly message: string } };

/** `table`: which of the file's, from 0. */
export interface PlacedSheet extends LookedSheet {
  readonly table: number;
  /** What the rows seem to be, by the headings; `null`: nothing in particular. */
  readonly seems: ImportKind | null;
  readonly targets: readonly NamedTarget[];
}

/** What the table in force on the day says of an NCM's attributes; `undefined` where there is none. */
export type AttributesOn = (day: Day) => ((ncm: string) => NamedAttributes | undefined) | undefined;

export async function* sheetLookTexts(
  db: Db,
  request: SheetLookRead,
  attributesOn: AttributesOn,
): AsyncGenerator<string> {
  try {
    yield JSON.stringify({ sheets: await sheetsIn(db, request, attributesOn) } satisfies SheetLooked);
  } catch (error) {
    if (!(error instanceof UnreadableSheet)) throw error;
    const { reason, message } = error;
    yield JSON.stringify({ refused: { reason, message } } satisfies SheetLooked);
  }
}

/** Throws `UnreadableSheet`. */
export async function sheetsIn(
  db: Db,
  request: SheetLookRead,
  attributesOn: AttributesOn,
): Promise<readonly PlacedSheet[]> {
  const { file, tipo, day, choices, table: only, headerRow } = request;
  const { tables, close } = await openSheets(file);
  try {
    const kind = sheetKind(tipo);
    const known = new Map(choices.map(({ heading, target }) => [heading, target]));
    // Of products; what it has looked up serves all the sheets.
    const attributesOf = tipo === 'produto' ? attributesOn(day) : undefined;
    const found: PlacedSheet[] = [];
    for (const [table, one] of filledIn(tables).entries()) {
      if (only !== undefined && table !== only) continue;
      let [seems, named]: [ImportKind | null, readonly NamedAttributes[]] = [null, []];
      const better = (headed: readonly ReadColumn[], guesses: readonly Guess[]): readonly Guess[] => {
        seems = kindSeen(headed);
        if (tipo !== 'produto') return guesses;
        const ofProduct = shortDescription(headed, ofErp(headed, guesses));
        if (attributesOf !== undefined) named = attributesIn(db, request, attributesOf, headed, ofProduct);
        return withAttributeNames(named, headed, ofProduct);
      };
      const looked = await lookAt(one, { kind, known, headerRow, better });
      if (looked !== undefined) found.push({ table, ...looked, seems, targets: targetsOf(tipo, named) });
    }
    if (found.length === 0) throw nothingBelow();
    return found;
  } finally {
    close();
  }
}

/** Columns that only the list of an ERP has: there a code is the ERP's own. */
const ERP_HEADINGS = new Set([
  ...[
    'preco',
    'preco venda',
    'preco custo',
    'unidade',
    'unidade medida',
    'estoque',
    'saldo',
    'gtin',
    'gtin ean',
  ],
  ...[
    'ean',
    'codigo barras',
    'codigo ean gtin',
    'marca',
    'peso',
    'peso liquido',
    'cest',
    'tipo item',
    'grupo',
  ],
]);

function ofErp(headed: readonly ReadColumn[], guesses: readonly Guess[]): readonly Guess[] {
  if (!headed.some(({ heading }) => ERP_HEADINGS.has(words(heading)))) return guesses;
  return guesses.map((guess, place) => {
    const name = words(headed[place]?.heading ?? '');
    return guess.target === 'codigo' && (name === 'codigo' || name === 'codigo produto')
      ? { target: 'codigosInterno', because: 'é o código do ERP, que tem outras colunas aqui' }
      : guess;
  });
}

/** Those that say no more than that it is one. */
const PLAIN_DESCRIPTIONS = new Set(
  ['descricao', 'description'].flatMap((one) => ['', ' produto', ' material', ' item'].map((of) => one + of)),
).union(new Set(['material description', 'item description', 'product description']));

/** Longer ones describe. */
const SHORT_CHARACTERS = 100;

/** `Descrição` names a product where nothing else does and its texts are short. */
function shortDescription(headed: readonly ReadColumn[], guesses: readonly Guess[]): readonly Guess[] {
  if (guesses.some(({ target }) => target === 'denominacao')) return guesses;
  const place = guesses.findIndex(
    ({ target }, at) => target === 'descricao' && PLAIN_DESCRIPTIONS.has(words(headed[at]?.heading ?? '')),
  );
  const values = headed[place]?.values ?? [];
  if (values.length === 0 || values.some((text) => text.length > SHORT_CHARACTERS)) return guesses;
  return guesses.with(place, {
    target: 'denominacao',
    because: 'os textos são curtos, e nenhuma outra coluna dá o nome',
  });
}

/** So many NCMs say what their attributes are called. */
const NCMS_ASKED = 2000;

/** What the table says of the NCMs that the sheet names; of those of the company where it names none. */
function attributesIn(
  db: Db,
  { cpfCnpjRaiz }: SheetLookRead,
  attributesOf: NonNullable<ReturnType<AttributesOn>>,
  headed: readonly ReadColumn[],
  guesses: readonly Guess[],
): readonly NamedAttributes[] {
  const place = guesses.findIndex(({ target }) => target === 'ncm');
  const named = [...(headed[place]?.distinct ?? [])]
    .map((text) => text.replaceAll(/\D/g, '').padStart(8, '0'))
    .filter((digits) => digits.length === 8);
  const ncms = place === -1 ? ncmsOfCompany(db, cpfCnpjRaiz) : [...new Set(named)].slice(0, NCMS_ASKED);
  return ncms.map(attributesOf).filter((found) => found !== undefined);
}

function withAttributeNames(
  named: readonly NamedAttributes[],
  headed: readonly ReadColumn[],
  guesses: readonly Guess[],
): readonly Guess[] {
  const names = named.map(namesOf);
  const taken = new Set(guesses.map(({ target }) => target));
  return guesses.map((guess, at) => {
    if (guess.target !== null || guess.because !== UNKNOWN_COLUMN) return guess;
    const target = targetNamed(headed[at]?.heading ?? '', names);
    if (target === undefined || taken.has(target)) return guess;
    taken.add(target);
    return { target, because: 'é o nome do atributo' };
  });
}
