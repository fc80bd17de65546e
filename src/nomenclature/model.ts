/** Descriptions of NCMs, as parsed and on the wire (contract section 20). */
import type { Day } from '../clock.ts';
import { originMembers } from '../catalogue/attribute/origin/model.ts';
import { DayText } from '../catalogue/model.ts';
import { form, limitOf, nullable, text, integerForm } from '../validation/forms.ts';
import { momentOf } from '../validation/moment.ts';
import { t } from '../validation/type.ts';

/**
 * Line of the file. `words`: those of the description, folded, each after a space. An `endsOn` of `''` is
 * open.
 */
export type NomenclatureLine = readonly [
  codigo: string,
  descricao: string,
  startsOn: Day,
  endsOn: Day | '',
  words: string,
];

/**
 * Line with the days on which it applies among the lines of its code: from `from` to the day
 * before `before`.
 */
export type NomenclatureRow = readonly [...line: NomenclatureLine, from: Day | '', before: Day];

/** Code, with one bit for each of the searched words that its own line has. */
export interface Hit {
  readonly codigo: string;
  readonly has: bigint;
}

export interface NomenclatureHead {
  readonly updated: string;
  readonly act: string;
  readonly rows: number;
  /** Number of distinct codes of 8 digits. */
  readonly ncms: number;
}

/** Whole NCM, as people and programs write it. */
export const WrittenNcm = text('Código NCM, com ou sem pontos.', '09012100', {
  pattern: '^(?:[0-9]{8}|[0-9]{4}\\.[0-9]{2}\\.[0-9]{2})$',
  'x-domain': '8 dígitos, com pontos (0901.21.00) ou sem (09012100)',
});

export const NcmParams = t.Object({ ncm: WrittenNcm });

export const NCM_LIMIT = { max: 100, default: 20 };
const TEXT_MAX = 200;
const CODES_MAX = 100;

export const NcmQuery = t.Object({
  text: t.Optional(
    text(
      'Os primeiros dígitos, com pontos ou sem, ou palavras: cada uma começa uma palavra da NCM ou de um de seus títulos, sem distinguir maiúsculas e acentos. Ausente: desde a primeira.',
      'bicicleta',
      { maxLength: TEXT_MAX },
    ),
  ),
  codes: t.Optional(
    text('Só estas, as que houver, em vez de procurar.', '09012100,87120010', {
      pattern: `^[0-9]{8}(?:,[0-9]{8}){0,${CODES_MAX - 1}}$`,
      'x-domain': `de 1 a ${CODES_MAX} códigos de 8 dígitos, separados por vírgulas`,
    }),
  ),
  limit: t.Optional(limitOf('Quantas, no máximo; com codes não conta.', NCM_LIMIT.max, NCM_LIMIT.default)),
});

export const NcmWords = form('NcmWords', 'O que uma NCM é, em palavras.', {
  ncm: text('NCM, 8 dígitos.', '87120010'),
  descricao: text('Descrição, como a nomenclatura a diz.', 'Bicicletas'),
  path: t.Array(text('Um título.', 'Bicicletas e outros ciclos'), {
    description: 'Os títulos acima dela, a partir do capítulo.',
  }),
  startsOn: { ...DayText, description: 'Dia em que começa.' },
  endsOn: nullable({ ...DayText, description: 'Último dia; null: não termina.' }),
});
export type NcmWords = typeof NcmWords.static;

export const LoadedNomenclature = form('LoadedNomenclature', 'A nomenclatura carregada.', {
  rows: integerForm('Quantas linhas o arquivo tem.', 15_000),
  ncms: integerForm('Quantas NCMs de 8 dígitos estão nela.', 10_500),
  updated: text('Data_Ultima_Atualizacao_NCM, como o arquivo a diz.', 'Vigente em 20/11/2026'),
  act: text('Ato, como o arquivo o diz.', 'Resolução Gecex nº 812/2025'),
  loadedAt: momentOf('Quando foi carregada.'),
});
export type LoadedNomenclature = typeof LoadedNomenclature.static;

export const CurrentNomenclature = form('CurrentNomenclature', 'A nomenclatura em uso.', {
  loaded: nullable(LoadedNomenclature, { description: 'null enquanto nenhuma foi carregada.' }),
  origin: form('NomenclatureOrigin', 'De onde ela vem sozinha.', originMembers('ncm.origem')),
});

const NomenclatureFileLine = form('NomenclatureLine', 'Um capítulo, um título ou uma NCM.', {
  Codigo: text('2, 4, 5, 6, 7 ou 8 dígitos, com pontos ou sem.', '8712.00.10'),
  Descricao: text('O que é.', 'Bicicletas'),
  Data_Inicio: text('dd/MM/yyyy.', '01/04/2022'),
  Data_Fim: text('dd/MM/yyyy; 31/12/9999 não termina.', '31/12/9999'),
  Tipo_Ato_Ini: t.Optional(text('Que tipo de ato a criou.', 'Res Camex')),
  Numero_Ato_Ini: t.Optional(text('Número desse ato.', '000272')),
  Ano_Ato_Ini: t.Optional(text('Ano desse ato.', '2021')),
});

/** Schema for the API document: a separate reader reads the file, and reports the position of each fault. */
export const NomenclatureFile = form('NomenclatureFile', 'O arquivo público da nomenclatura.', {
  Data_Ultima_Atualizacao_NCM: t.Optional(text('De quando é.', 'Vigente em 20/11/2026')),
  Ato: t.Optional(text('O ato que a aprovou por último.', 'Resolução Gecex nº 812/2025')),
  Nomenclaturas: t.Array(NomenclatureFileLine, { description: 'Capítulos, títulos e NCMs.' }),
});
