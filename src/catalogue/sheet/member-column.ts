/** Describes the column of a member: the words of people and ERPs for it, and the reader of its cells. */
import { displayedText } from '../../sheet/cell.ts';
import type { SheetColumn } from '../../sheet/column.ts';
import { type ReadCell, asCode, asDay, asDigits, asOneOf } from '../../sheet/values.ts';
import { formatValue } from '../../validation/format-value.ts';
import { countriesOf } from './country-names.ts';

export interface MemberColumn extends SheetColumn {
  /** Reads a cell as the text of the member. For several values, reads each of them. */
  readonly read: ReadCell;
  /** Set if no record can be created without it. */
  readonly isRequired?: true;
}

export const wordList = (words: string): readonly string[] => words.split(', ');

/** Returns true if the reader accepts a text. */
export const acceptedBy =
  (read: ReadCell) =>
  (text: string): boolean =>
    read({ text, from: 'text' }).problem === undefined;

/** Returns true for a text with letters. Numbers are line numbers or codes. */
export const isName = (text: string): boolean => /\p{L}/u.test(text);

const SITUACOES = {
  ATIVADO: wordList('Ativado, ativo, ativa, active, a'),
  DESATIVADO: wordList('Desativado, desativo, inativo, inativa, inactive, i'),
};
export const asSituacao = asOneOf({ ...SITUACOES, RASCUNHO: wordList('Rascunho, draft') });
export const asOperatorSituacao = asOneOf(SITUACOES);

export const asCountry: ReadCell = (cell) => {
  const received = formatValue(displayedText(cell));
  const [code, ...others] = countriesOf(cell);
  if (code === undefined)
    return {
      problem: `recebido ${received}; aceita o código de um país (CN, CHN, 160 ou 1600) ou seu nome.`,
    };
  return others.length === 0
    ? { value: code }
    : {
        problem: `recebido ${received}, que pode ser ${[code, ...others].join(' ou ')}: a planilha tirou um zero; escreva o código de duas letras.`,
      };
};

export const COMPANY: MemberColumn = {
  target: 'cpfCnpjRaiz',
  heading: 'CPF/CNPJ raiz',
  words: wordList('cpf cnpj, raiz, empresa, cnpj raiz, cnpj, cnpj empresa, company'),
  fits: (text) => /^[\dA-Za-z.\-/]{8,18}$/.test(text),
  read: asDigits([8, 11, 14]),
};

export const STARTS: MemberColumn = {
  target: 'dataReferencia',
  heading: 'Data de referência',
  words: wordList('inicio, vigencia, inicio vigencia, valid from'),
  fits: acceptedBy(asDay),
  read: asDay,
};

export const VERSION: MemberColumn = {
  target: 'versao',
  heading: 'Versão',
  words: ['version'],
  isWhole: true,
  fits: (text) => /^\d+(?:\.\d+)?$/.test(text),
  read: asCode,
};

export const isProductCode = (text: string): boolean => /^\d{1,10}$/.test(text);
