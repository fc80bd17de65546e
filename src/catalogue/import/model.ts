/**
 * Models the imports of files (contract section 7): the request, the progress, and the result of each item.
 */
import type { EpochMs } from '../../clock.ts';
import type { Proposed } from '../../change.ts';
import type { ItemProblem } from '../../errors.ts';
import type { Right } from '../../right.ts';
import type { Notice } from '../../validation/decoding.ts';
import { choice, form, idOf, nullable, text } from '../../validation/forms.ts';
import { momentOf } from '../../validation/moment.ts';
import { isSheetName, isUnreadSheetName } from '../../validation/sheet-name.ts';
import type { AppliedChange, MemberChange } from '../record.ts';
import { t } from '../../validation/type.ts';

export const IMPORT_KINDS = ['produto', 'operador-estrangeiro', 'fabricante', 'ato-concessorio'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

export const IMPORT_MODES = ['lote', 'espelho'] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

/** `awaiting`: a dry run that is proposed, until somebody decides (contract section 27). */
export const IMPORT_STATES = ['queued', 'running', 'done', 'failed', 'cancelled', 'awaiting'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** The sources of an import. `registro`: the proposal of one record. */
export const IMPORT_SOURCES = [
  'arquivo',
  'planilha',
  'alteracao',
  'correcao',
  'desfazer',
  'remoto',
  'registro',
] as const;
export type ImportSource = (typeof IMPORT_SOURCES)[number];

export const ITEM_OUTCOMES = ['created', 'newVersion', 'deactivated', 'unchanged', 'failed'] as const;
export type ImportOutcome = (typeof ITEM_OUTCOMES)[number];

const kind = choice(IMPORT_KINDS, 'O que há no arquivo.');
const mode = choice(
  IMPORT_MODES,
  'lote: o mesmo que a operação em lote faz de cada item. espelho: mantém codigo e versao do arquivo.',
);
const count = (description: string) => t.Integer({ minimum: 0, description });

/** The multipart form of an upload. Booleans are texts in it. */
export const ImportForm = t.Object(
  {
    file: t.String({
      format: 'binary',
      description: 'Um array JSON de registros, uma planilha, ou um zip de tais arquivos.',
    }),
    tipo: kind,
    modo: t.Optional(mode),
    simular: t.Optional(choice(['true', 'false'], 'true: valida todos os itens e não grava nenhum.')),
    cpfCnpjRaiz: t.Optional(
      t.String({
        'x-code': true,
        description: 'De uma planilha (XLSX ou CSV), ou das planilhas de um zip: a empresa de suas linhas.',
      }),
    ),
    expected: t.Optional(
      t.String({
        description:
          'Quantos registros serão desativados, ou passam a ser outros, onde são muitos: o número que a recusa diz, ou {"changed": N, "deactivated": N}.',
      }),
    ),
    planilha: t.Optional(
      t.String({
        description:
          'De uma planilha: como ler as linhas, em JSON; sem isto, como adivinhado. De um zip com várias, sem table, headerRow, mapping e skip.',
      }),
    ),
  },
  {
    additionalProperties: false,
    'x-form': 'ImportRequest',
    description: 'O arquivo, e o que fazer dele.',
    examples: [{ file: 'produtos.json', tipo: 'produto', modo: 'lote', simular: 'true' }],
  },
);

export const ImportId = idOf('Identificador da importação.');

/** SHA-256 of the bytes of the file, as received. */
export const Sha256 = t.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 do arquivo, em hexadecimal minúsculo: o mesmo arquivo tem o mesmo.',
  examples: ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
});

export const ImportStarted = form('ImportStarted', 'A importação que começou.', { id: ImportId });

const JobNotice = form('ImportJobNotice', 'Um aviso sobre a importação inteira.', {
  message: text('O que foi feito de outro modo, ou deixado de fora.', '1 linha de fora.'),
});

/** A job as its owner sees it. */
export const ImportProgress = form('ImportProgress', 'O andamento de uma importação.', {
  id: ImportId,
  tipo: kind,
  modo: mode,
  simular: t.Boolean({ description: 'Se os itens são validados e nada é gravado.' }),
  kind: choice(IMPORT_SOURCES, 'De que é feita: um arquivo, uma planilha, uma alteração de vários produtos…'),
  changesMany: t.Boolean({ description: 'Se é uma alteração de vários produtos, e não um arquivo.' }),
  corrects: nullable(
    t.Integer({ minimum: 1, description: 'A importação cujas linhas esta corrige; null onde não corrige.' }),
  ),
  correctedBy: nullable(
    t.Integer({
      minimum: 1,
      description: 'A última correção que gravou e não foi desfeita; null onde não há nenhuma.',
    }),
  ),
  undoes: nullable(
    t.Integer({ minimum: 1, description: 'A importação que esta desfaz; null onde não desfaz.' }),
  ),
  undoneBy: nullable(
    t.Integer({ minimum: 1, description: 'A importação que desfez esta; null onde nenhuma desfez.' }),
  ),
  fromSheet: t.Boolean({ description: 'Se as linhas são de uma planilha, que é guardada com elas.' }),
  cpfCnpjRaiz: nullable(
    text(
      'A empresa de que são todos os itens; null onde são de várias, ou ainda não foram lidos.',
      '12345678',
    ),
  ),
  fileName: text('Nome que o remetente deu ao arquivo.', 'produtos.json'),
  sha256: Sha256,
  state: choice(
    IMPORT_STATES,
    'queued e running ainda vão mudar; awaiting é uma simulação proposta, que espera uma decisão; os outros são finais.',
  ),
  error: nullable(t.String({ description: 'Por que a importação falhou.' })),
  total: nullable(count('Itens do arquivo; null enquanto ele não foi lido por inteiro.')),
  processed: count('Itens já julgados.'),
  created: count('Itens que incluíram um registro.'),
  newVersion: count('Itens que mudaram um registro.'),
  deactivated: count('Itens que desativaram um registro.'),
  unchanged: count('Itens iguais ao que está gravado.'),
  failed: count('Itens recusados.'),
  failedNotKept: count(
    'Destes, os que só foram contados: além de importacao.falhas os motivos não são guardados.',
  ),
  resultsForgotten: t.Boolean({ description: 'Se os resultados dos itens foram apagados a pedido.' }),
  cellsDropped: t.Boolean({
    description:
      'De uma planilha: se suas linhas deram lugar às de planilhas mais novas da empresa (planilha.guardadas). Então ela não pode mais ser corrigida nem gravada a partir da simulação.',
  }),
  notices: t.Array(JobNotice, {
    description: 'Avisos sobre a importação inteira.',
  }),
  madeBy: text('Quem a pediu.', '00000000191'),
  proposal: nullable(
    t.Integer({ minimum: 1, description: 'A proposta que esta grava; null onde não grava nenhuma.' }),
  ),
  proposedBy: nullable(
    text('Quem a propôs, onde madeBy aprovou uma proposta; null onde não.', '00000000191'),
  ),
  createdAt: momentOf('Quando foi pedida.'),
  finishedAt: nullable(momentOf('Quando terminou; null até então.')),
});
export type ImportProgress = typeof ImportProgress.static;

/** Maximum problems that are stored for one item. A hostile item could have a million. */
export const ERRORS_KEPT = 50;

/** The result of one item, with the members of `ImportResult`. */
export interface ItemResult {
  readonly index: number;
  readonly seq: number | null;
  readonly codigo: string | null;
  readonly versao: string | null;
  readonly outcome: ImportOutcome;
  /** The messages of the problems. If more were found than are stored, the last one gives their number. */
  readonly errors: readonly string[];
  /** The name that people know it by. */
  readonly name: string | null;
  /** The codes that an ERP knows it by. */
  readonly codigosInterno: readonly string[];
  /** The member of a zip, or the sender's name for the file. `line` counts in it. */
  readonly file: string;
  readonly line: number;
  /** The row, for an item of a spreadsheet. */
  readonly row?: number;
  readonly problems: readonly ItemProblem[];
  readonly notices: readonly Notice[];
  readonly changes: readonly MemberChange[];
  /** The members that were not recorded, which are empty. Absent: none. */
  readonly notRecorded?: readonly ('codigosInterno' | 'notices' | 'changes')[];
}

/** A stored result. It also holds the changes that the item applied, which no response shows. */
export interface KeptResult extends ItemResult {
  readonly appliedChanges?: readonly AppliedChange[];
}

/** The members of a job that choose its applier. */
export type AppliedJob = Pick<ImportRequest, 'kind' | 'changesMany' | 'tipo' | 'pedido' | 'simular'>;

/** The request of an upload. */
export interface ImportRequest {
  readonly kind: ImportSource;
  /** True if the import changes products by instructions, without rows of a sheet. Absent: false. */
  readonly changesMany?: boolean;
  /** The import that this one carries out, corrects or undoes. Absent: none. */
  readonly source?: number | undefined;
  /** Notices about the whole import. */
  readonly notices?: readonly string[];
  readonly tipo: ImportKind;
  readonly modo: ImportMode;
  readonly simular: boolean;
  /** The sender's name for the file. It is only displayed. */
  readonly fileName: string;
  /** The name of the file in the folder of imports. */
  readonly storedFile: string;
  /** SHA-256 of its bytes, in hex. */
  readonly sha256: string;
  /** The change instructions for each item, as JSON. `null` for a file, whose items contain it. */
  readonly pedido: string | null;
  /** The only company that the items name. `null` if there are several, or if the items are not read yet. */
  readonly company: string | null;
  /** The contents of its file. Absent: the job reads them. */
  readonly contents?: FileContents | undefined;
  /** The approved proposal that it carries out. Absent: none. */
  readonly proposal?: Proposed | undefined;
}

export interface ItemCounts {
  readonly processed: number;
  readonly created: number;
  readonly newVersion: number;
  readonly deactivated: number;
  readonly unchanged: number;
  readonly failed: number;
}

/** The end of an item: the JSON text of the file, the index of the item in it, and the byte behind it. */
export interface AppliedPlace {
  readonly member: number;
  readonly indexInMember: number;
  readonly end: number;
  /** The line of that byte. */
  readonly endLine: number;
}

/** A stored job. Its instructions may have megabytes, so they are read separately. */
export interface ImportJob extends Omit<ImportRequest, 'pedido'>, ItemCounts {
  readonly id: number;
  /** The first import of its chain of sources. The job itself if it has no source. */
  readonly root: number;
  /** The companies of a file with several, limited to those that the sender represented when it was read. */
  readonly companies: readonly string[];
  readonly notices: readonly string[];
  /** The user that requested it, and the profile used. */
  readonly documento: string;
  readonly perfil: string;
  /** The key or certificate that sent it. */
  readonly key: string | null;
  readonly state: ImportState;
  readonly error: string | null;
  readonly total: number | null;
  /** Number of failed items without a stored row. */
  readonly failedNotKept: number;
  readonly forgotten: Forgotten;
  /** The end of the last applied item in the file. */
  readonly place: AppliedPlace;
  readonly createdAt: EpochMs;
  readonly finishedAt: EpochMs | null;
}

/** The results of reading a whole file. */
export interface FileContents {
  /** Members of a zip that are not JSON. */
  readonly leftOut: readonly string[];
  readonly total: number;
  /** The only company that all items name. `null` if there is none. */
  readonly company: string | null;
  /** The companies that items name, of those that were looked for. */
  readonly companies: readonly string[];
}

/**
 * Returns the least right that an import needs (contract section 27). The rights over each row of a file or
 * sheet are checked when the row is applied.
 */
export const rightOf = (kind: ImportSource, simular: boolean): Right =>
  simular ? 'leitura' : kind === 'arquivo' || kind === 'planilha' ? 'preenchimento' : 'aprovacao';

/** The members of a zip that were spreadsheets: their names by number, and the company of their rows. */
export interface SheetMembers {
  readonly cpfCnpjRaiz: string;
  readonly names: ReadonlyMap<number, string>;
}

/** A spreadsheet of the zip, and how its rows are read. */
interface ZippedSheet<Order> {
  /** The number of its member among those that are imported, from 0. */
  readonly member: number;
  readonly name: string;
  readonly order: Order;
}

export interface ZipInstructions<Order> {
  readonly tipo: ImportKind;
  readonly cpfCnpjRaiz: string;
  readonly sheets: readonly ZippedSheet<Order>[];
}

/** Converts the instructions to the text stored with the job. */
export const zipInstructionsJson = (zip: ZipInstructions<unknown>): string => JSON.stringify({ zip });

/** A file has instructions only if it is a zip with spreadsheets. */
export const parseZipInstructions = <Order>(pedido: string): ZipInstructions<Order> =>
  (JSON.parse(pedido) as { readonly zip: ZipInstructions<Order> }).zip; // written by this program

/** Returns the members whose items are rows. `undefined`: the import is not of a zip with spreadsheets. */
export const sheetMembersIn = ({ kind, pedido }: Pick<ImportRequest, 'kind' | 'pedido'>) =>
  kind === 'arquivo' && pedido !== null ? sheetMembersOf(parseZipInstructions(pedido)) : undefined;

export const sheetMembersOf = ({ cpfCnpjRaiz, sheets }: ZipInstructions<unknown>): SheetMembers => ({
  cpfCnpjRaiz,
  names: new Map(sheets.map(({ member, name }) => [member, name])),
});

/** Names the members of a zip that are not imported. */
export const leftOutNotices = (names: readonly string[]): readonly string[] =>
  names.map((name) => {
    if (isSheetName(name))
      return `${name}: uma planilha, não importada; o modo espelho é só de arquivos .json.`;
    return isUnreadSheetName(name)
      ? `${name}: uma planilha em um formato que não é lido, não importada; salve-a como XLSX ou CSV.`
      : `${name}: não é um arquivo .json nem uma planilha, não importado.`;
  });

/** State of forgetting the results of a job: not requested, in progress, done. */
export type Forgotten = 0 | 1 | 2;

/** Returns true for an import of a sheet. Its items are rows, and are stored as long as their results. */
export const isOfSheet = ({
  kind,
  changesMany = false,
}: Pick<ImportRequest, 'kind' | 'changesMany'>): boolean =>
  !changesMany && (kind === 'planilha' || kind === 'correcao');

/** The instructions of an import of records fetched from a remote: the run, and the index of its phase. */
export interface FetchInstructions {
  readonly fetch: number;
  readonly phase: number;
}

export const parseFetchInstructions = (pedido: string): FetchInstructions =>
  JSON.parse(pedido) as FetchInstructions; // written by this program

/** The instructions of the proposal of one record: its item, of the kind of the import. */
export interface RecordInstructions {
  readonly record: Readonly<Record<string, unknown>>;
}

export const parseRecordItem = (pedido: string): RecordInstructions['record'] =>
  (JSON.parse(pedido) as RecordInstructions).record; // written by this program

/** Returns the channel of its changes in the audit. */
export const channelOf = ({ kind }: Pick<ImportRequest, 'kind'>): 'import' | 'remote' =>
  kind === 'remoto' ? 'remote' : 'import';

export const isOver = (state: ImportState): boolean => state !== 'queued' && state !== 'running';

/** Counts the results by outcome. */
export function countsOf(results: readonly ItemResult[]): ItemCounts {
  const counts = {
    processed: results.length,
    created: 0,
    newVersion: 0,
    deactivated: 0,
    unchanged: 0,
    failed: 0,
  };
  for (const { outcome } of results) counts[outcome] += 1;
  return counts;
}
