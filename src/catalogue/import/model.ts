/** Imports of files (contract section 7): what is asked for, how far it is, what became of each item. */
import { Type as t } from '@sinclair/typebox';
import type { EpochMs } from '../../clock.ts';
import type { Actor, Change, Members, MembersChanged } from '../../change.ts';
import type { ItemProblem } from '../../errors.ts';
import type { Notice } from '../../validation/decoding.ts';
import { choice, form, idOf, nullable, text } from '../../validation/forms.ts';
import { momentOf } from '../../validation/moment.ts';
import type { Did, MemberChange } from '../record.ts';

export const IMPORT_KINDS = ['produto', 'operador-estrangeiro', 'fabricante', 'ato-concessorio'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

export const IMPORT_MODES = ['lote', 'espelho'] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

export const IMPORT_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** What an import is made of. `registro` is not made yet. */
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

/** The multipart form of an upload; booleans come as text there. */
export const ImportForm = t.Object(
  {
    file: t.String({
      format: 'binary',
      description: 'Um array JSON de registros, um zip de tais arquivos, ou uma planilha.',
    }),
    tipo: kind,
    modo: t.Optional(mode),
    simular: t.Optional(choice(['true', 'false'], 'true: valida todos os itens e não grava nenhum.')),
    cpfCnpjRaiz: t.Optional(
      t.String({ 'x-code': true, description: 'De uma planilha (XLSX ou CSV): a empresa de suas linhas.' }),
    ),
    expected: t.Optional(
      t.String({
        description:
          'Quantos registros serão desativados, ou passam a ser outros, onde são muitos: o número que a recusa diz, ou {"changed": N, "deactivated": N}.',
      }),
    ),
    planilha: t.Optional(
      t.String({ description: 'De uma planilha: como ler as linhas, em JSON; sem isto, como adivinhado.' }),
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

/** Of the bytes of the file, as they came. */
export const Sha256 = t.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 do arquivo, em hexadecimal minúsculo: o mesmo arquivo tem o mesmo.',
  examples: ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
});

export const ImportStarted = form('ImportStarted', 'A importação que começou.', { id: ImportId });

const JobNotice = form('ImportJobNotice', 'Um aviso sobre a importação inteira.', {
  message: text('O que foi feito de outro modo, ou deixado de fora.', '1 linha de fora.'),
});

/** A job as it is shown to its owner. */
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
  state: choice(IMPORT_STATES, 'queued e running ainda vão mudar; os outros são finais.'),
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
  createdAt: momentOf('Quando foi pedida.'),
  finishedAt: nullable(momentOf('Quando terminou; null até então.')),
});
export type ImportProgress = typeof ImportProgress.static;

/** Problems that are kept of one item: a hostile item could have a million. */
export const ERRORS_KEPT = 50;

/** The row of one item; the same members as `ImportResult`. */
export interface ItemResult {
  readonly index: number;
  readonly seq: number | null;
  readonly codigo: string | null;
  readonly versao: string | null;
  readonly outcome: ImportOutcome;
  /** The messages of the problems; behind them, where more were found than are kept, how many. */
  readonly errors: readonly string[];
  /** How it is known to people. */
  readonly name: string | null;
  /** By which an ERP knows it. */
  readonly codigosInterno: readonly string[];
  /** The member of a zip, or what the sender calls the file: `line` counts there. */
  readonly file: string;
  readonly line: number;
  /** Of a spreadsheet. */
  readonly row?: number;
  readonly problems: readonly ItemProblem[];
  readonly notices: readonly Notice[];
  readonly changes: readonly MemberChange[];
}

/** A row as it is kept: also what its item did, which is told to nobody. */
export interface KeptResult extends ItemResult {
  readonly did?: readonly Did[];
}

/** What an upload asks for. */
export interface ImportRequest {
  readonly kind: ImportSource;
  /** Changes products by an order, and has no rows of a sheet; absent: false. */
  readonly changesMany?: boolean;
  /** The import that it carries out, corrects or takes back; absent: none. */
  readonly source?: number | undefined;
  /** Notices of the whole import. */
  readonly notices?: readonly string[];
  readonly tipo: ImportKind;
  readonly modo: ImportMode;
  readonly simular: boolean;
  /** The name that the sender gives the file; only shown. */
  readonly fileName: string;
  /** Its name in the folder of imports. */
  readonly storedFile: string;
  /** Of its bytes, hex. */
  readonly sha256: string;
  /** What is to become of each item: a change order as JSON; `null` of a file, whose items say it. */
  readonly pedido: string | null;
  /** The one company that all items name; `null` where there are several, or they have not been read. */
  readonly company: string | null;
}

export interface ItemCounts {
  readonly processed: number;
  readonly created: number;
  readonly newVersion: number;
  readonly deactivated: number;
  readonly unchanged: number;
  readonly failed: number;
}

/** Where an item ends: in which JSON text of the file, as its how-manieth, and before which byte. */
export interface AppliedPlace {
  readonly member: number;
  readonly indexInMember: number;
  readonly end: number;
  /** The line of that byte. */
  readonly endLine: number;
}

/** A job as it is kept. Its order may have megabytes and is read apart from it. */
export interface ImportJob extends Omit<ImportRequest, 'pedido'>, ItemCounts {
  readonly id: number;
  /** The first import of its chain of sources; itself where it has none. */
  readonly root: number;
  /** The companies of a file with several, as far as its sender represented them when it was read. */
  readonly companies: readonly string[];
  readonly notices: readonly string[];
  /** Who asked for it, and in which profile. */
  readonly documento: string;
  readonly perfil: string;
  /** The key or certificate that it was sent by. */
  readonly key: string | null;
  readonly state: ImportState;
  readonly error: string | null;
  readonly total: number | null;
  /** Failed items of which no row is kept. */
  readonly failedNotKept: number;
  readonly forgotten: Forgotten;
  /** Where the last item that was applied ends in the file. */
  readonly place: AppliedPlace;
  readonly createdAt: EpochMs;
  readonly finishedAt: EpochMs | null;
}

/** What a look through a whole file tells. */
export interface FileContents {
  /** Members of a zip that are no JSON. */
  readonly leftOut: readonly string[];
  readonly total: number;
  /** The one company that all items name; `null` where there is no such one. */
  readonly company: string | null;
  /** The companies that items name, of those that were asked for. */
  readonly companies: readonly string[];
}

/** Whether the results of a job were asked to be forgotten: not, they are being removed, they are gone. */
export type Forgotten = 0 | 1 | 2;

/** The items of an import of a sheet are rows, and are kept as long as their results. */
export const isOfSheet = ({
  kind,
  changesMany = false,
}: Pick<ImportRequest, 'kind' | 'changesMany'>): boolean =>
  !changesMany && (kind === 'planilha' || kind === 'correcao');

/** The order of an import of what a run fetches from a remote: the run, and the which of its phases. */
export interface FetchOrder {
  readonly fetch: number;
  readonly phase: number;
}

export const fetchOrderIn = (pedido: string): FetchOrder => JSON.parse(pedido) as FetchOrder; // we wrote it

/** By which its changes come, as the audit has it. */
export const channelOf = ({ kind }: Pick<ImportRequest, 'kind'>): 'import' | 'remote' =>
  kind === 'remoto' ? 'remote' : 'import';

export const isOver = (state: ImportState): boolean => state !== 'queued' && state !== 'running';

/** How many of some results came out which way. */
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

/** An audit entry about an import itself; its items have entries of their own. */
export const importChange = (
  id: number,
  action: 'INCLUSAO' | 'CANCELAMENTO' | 'CONCLUSAO' | 'FALHA' | 'ESQUECIMENTO' | 'EXCLUSAO',
  by: Actor,
  { before, after }: MembersChanged,
): Change => ({ by, action, kind: 'importacao', key: String(id), before, after });

/** What an import is, as the audit tells its beginning and its removal. */
export const importMembers = ({
  kind,
  tipo,
  modo,
  simular,
  fileName,
  company,
}: Pick<ImportRequest, 'kind' | 'tipo' | 'modo' | 'simular' | 'fileName' | 'company'>): Members => ({
  kind,
  tipo,
  modo,
  simular,
  fileName,
  cpfCnpjRaiz: company,
});
