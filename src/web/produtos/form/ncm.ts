/**
 * What an NCM asks of a product, from what the API answers for it (contract section 8), by the very rules of the server:
 * `catalogue/attribute/check` knows neither database nor wire.
 */
import type { NcmAttributes } from '../../api/answers.ts';
import { type PreparedNcm, prepare } from '../../../catalogue/attribute/check/prepare.ts';
import { readDetail } from '../../../catalogue/attribute/file/detail.ts';
import { type Members, TableReader } from '../../../catalogue/attribute/file/reader.ts';
import type { Pair, PairModalidade } from '../../../catalogue/attribute/words/model.ts';

/** Pairs and details as the table file has them: its own reader takes them apart. */
type Asked = Omit<NcmAttributes, 'listaAtributos' | 'detalhesAtributos'> &
  Readonly<Record<'listaAtributos' | 'detalhesAtributos', readonly Members[]>>;

/** The same as a table says it that is put in force on a day to come. */
export interface Coming {
  readonly from: string;
  readonly asked: Asked;
}

/** Throws when the answer is not what a table that was loaded holds. */
export function prepareNcm(asked: Asked, coming?: Coming): PreparedNcm {
  const { pairs, details } = rulesIn(asked);
  return prepare(
    pairs,
    details,
    coming === undefined ? [] : [{ from: coming.from, ...rulesIn(coming.asked) }],
  );
}

function rulesIn({ codigoNcm, listaAtributos, detalhesAtributos }: Asked) {
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
