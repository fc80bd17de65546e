/**
 * Requirements of an NCM, prepared from the answer of the API (contract section 8) with the rules of the
 * server: `catalogue/attribute/check` depends on neither database nor HTTP.
 */
import type { NcmAttributes } from '../../api/answers.ts';
import { type PreparedNcm, prepare } from '../../../catalogue/attribute/check/prepare.ts';
import { readDetail } from '../../../catalogue/attribute/file/detail.ts';
import { type Members, TableReader } from '../../../catalogue/attribute/file/reader.ts';
import type { Pair, PairModalidade } from '../../../catalogue/attribute/words/model.ts';

/** Keeps pairs and details as in the table file: the parser of that file reads them. */
type NcmAnswer = Omit<NcmAttributes, 'listaAtributos' | 'detalhesAtributos'> &
  Readonly<Record<'listaAtributos' | 'detalhesAtributos', readonly Members[]>>;

/** Same data from a table that a future date puts in force. */
export interface FutureRules {
  readonly from: string;
  readonly answer: NcmAnswer;
}

/** Throws when the answer is not valid table content. */
export function prepareNcm(answer: NcmAnswer, coming?: FutureRules): PreparedNcm {
  const { pairs, details } = rulesIn(answer);
  return prepare(
    pairs,
    details,
    coming === undefined ? [] : [{ from: coming.from, ...rulesIn(coming.answer) }],
  );
}

function rulesIn({ codigoNcm, listaAtributos, detalhesAtributos }: NcmAnswer) {
  const reader = new TableReader();
  const details = detalhesAtributos.flatMap((item) => readDetail(reader, item, []) ?? []);
  const pairs = listaAtributos.map((members) => pairOf(reader, members));
  const [fault] = reader.faults;
  if (fault !== undefined) throw new Error(fault.message);
  return {
    pairs: { codigoNcm: codigoNcm.replaceAll('.', ''), listaAtributos: pairs },
    details: new Map(details.map((detail) => [detail.codigo, detail])),
  };
}

const MODALITIES: readonly PairModalidade[] = ['Importação', 'Exportação'];

const pairOf = (reader: TableReader, members: Members): Pair => ({
  codigo: reader.text(members, 'codigo'),
  modalidade: reader.oneOf(members, 'modalidade', MODALITIES) ?? 'Importação',
  obrigatorio: reader.flag(members, 'obrigatorio'),
  multivalorado: reader.flag(members, 'multivalorado'),
  ...reader.validity(members),
});
