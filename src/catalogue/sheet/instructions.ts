/**
 * Defines the instructions of an import of a sheet (contract section 24), on the wire and as stored with the job.
 */
import { choice } from '../../validation/forms.ts';
import type { DecimalSign } from '../../sheet/values.ts';
import { ExpectedMember } from '../brake.ts';
import { strict, strictForm } from '../model.ts';
import { ImportId, type ImportKind } from '../import/model.ts';
import { HeaderRow, type RememberedMeanings, SheetId, TableIndex } from './model.ts';
import { t } from '../../validation/type.ts';

export const KEYS = ['codigo', 'codigoInterno', 'nenhuma'] as const;
export type SheetKey = (typeof KEYS)[number];
const EMPTY_CELLS = ['manter', 'apagar'] as const;
const CONFLICTS = ['recusar', 'sobrepor'] as const;

export const TARGET_MAX = 200;
export const VALUE_MAX = 4000;
const COLUMNS_MAX = 16_384;

const textsByName = <T>(description: string) =>
  t.Optional(t.Unsafe<T>({ type: 'object', additionalProperties: true, description }));

const ColumnMapping = strictForm('SheetMapping', 'Para onde uma coluna vai; null: para nada.', {
  index: t.Integer({
    minimum: 0,
    maximum: COLUMNS_MAX - 1,
    description: 'Posição da coluna, a partir de 0.',
  }),
  target: t.Optional(
    t.String({
      maxLength: TARGET_MAX,
      description: 'Para onde seus valores vão; ausente ou null: para nada.',
    }),
  ),
  constant: t.Optional(
    t.String({ maxLength: VALUE_MAX, description: 'Este valor em todas as linhas, em vez do da coluna.' }),
  ),
});

const ROWS_MAX = 200_000;

const Skip = t.Optional(
  t.Array(t.Integer({ minimum: 1, maximum: 1_048_576 }), {
    maxItems: ROWS_MAX,
    description: 'Linhas da planilha que ficam de fora, como ela as numera.',
    examples: [[12]],
  }),
);

/**
 * The members that describe how the rows are read. In a multipart form with `file`, they are in `planilha`.
 */
const SHEET_OPTIONS = {
  table: t.Optional(TableIndex),
  headerRow: t.Optional(HeaderRow),
  mapping: t.Optional(
    t.Array(ColumnMapping, {
      maxItems: COLUMNS_MAX,
      description: 'Colunas que não estão aqui ficam como adivinhadas.',
    }),
  ),
  constants: textsByName<Readonly<Record<string, string>>>('De cada membro, um valor para todas as linhas.'),
  values: textsByName<Readonly<Record<string, Readonly<Record<string, string>>>>>(
    'De cada membro, o que valores da planilha querem dizer.',
  ),
  key: t.Optional(choice(KEYS, 'O que diz de que registro uma linha é.')),
  empty: t.Optional(choice(EMPTY_CELLS, 'O que uma célula vazia quer dizer.')),
  conflict: t.Optional(choice(CONFLICTS, 'O que fazer do que mudou desde a versão que a planilha diz.')),
  reactivate: t.Optional(t.Boolean({ description: 'true: ativa o que está desativado.' })),
  simular: t.Optional(t.Boolean({ description: 'true: mostra o que mudaria e não grava nada.' })),
  skip: Skip,
  expected: ExpectedMember,
};

export const SheetOptions = strictForm('SheetHow', 'Como ler as linhas.', SHEET_OPTIONS);
export type SheetOptions = typeof SheetOptions.static;

export const SheetImport = t.Object(
  {
    sheet: t.Optional(SheetId),
    from: t.Optional({ ...ImportId, description: 'A simulação cujas linhas são agora gravadas.' }),
    ...SHEET_OPTIONS,
  },
  {
    ...strict,
    'x-form': 'SheetImport',
    description: 'A planilha enviada e o que é feito dela, ou a simulação que é gravada.',
    examples: [{ sheet: 1, simular: true }],
  },
);
export type SheetImport = typeof SheetImport.static;

/** A column whose values are imported. */
export interface ImportedColumn {
  readonly index: number;
  readonly heading: string;
  readonly target: string;
  readonly constant?: string;
}

/** The stored instructions. They contain no guesses. */
export interface SheetInstructions {
  readonly tipo: ImportKind;
  readonly cpfCnpjRaiz: string;
  readonly table: number;
  readonly headerRow: number;
  readonly columns: readonly ImportedColumn[];
  /** Columns that are not imported. They are in the export of failed rows. */
  readonly others: readonly Pick<ImportedColumn, 'index' | 'heading'>[];
  readonly constants: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly key: SheetKey;
  readonly empty: (typeof EMPTY_CELLS)[number];
  readonly conflict: (typeof CONFLICTS)[number];
  readonly reactivate: boolean;
  /** The decimal sign of columns whose numbers would be ambiguous, by target. */
  readonly decimals?: Readonly<Record<string, DecimalSign>>;
  /** Corrections that a person wants to be remembered, once these instructions write. */
  readonly remembered?: readonly RememberedMeanings[];
  /** Rows that are left out. */
  readonly skip?: readonly number[];
}

/** Converts the instructions to the text stored with the job. */
export const instructionsJson = (sheet: SheetInstructions): string => JSON.stringify({ sheet });
export const parseSheetInstructions = (pedido: string): SheetInstructions =>
  (JSON.parse(pedido) as { readonly sheet: SheetInstructions }).sheet; // written by this program
