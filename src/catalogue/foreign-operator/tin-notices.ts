/** Notices of TINs that are valid, but probably wrong (contract section 25). */
import { hasValidCheckDigits } from '../../validation/check-digits.ts';
import { formatValue } from '../../validation/format-value.ts';
import type { OperatorStore } from './store.ts';

/** Words that people write when an operator has no TIN, without punctuation. */
const NO_TIN =
  /^(?:0+|9{5,}|X+|NA|ND|SN|NIL|NONE|NULL|TBD|UNKNOWN|ISENTO|NAOTEM|NAOPOSSUI|NAOSEAPLICA|SEMTIN|)$/;

/** Returns the text without accents, blanks and punctuation, in upper case. */
const bare = (tin: string): string =>
  tin
    .normalize('NFD')
    .replaceAll(/[^0-9A-Za-z]/g, '')
    .toUpperCase();

/** Returns why the TIN of a written operator may be wrong. */
export function tinNotices(
  store: Pick<OperatorStore, 'find' | 'findLikeTin'>,
  { cpfCnpjRaiz, codigo }: { readonly cpfCnpjRaiz: string; readonly codigo: string },
): readonly string[] {
  const operator = store.find(cpfCnpjRaiz, codigo);
  if (operator === undefined || operator.tin === null || operator.situacao !== 'ATIVADO') return [];
  const { tin } = operator;
  const text = bare(tin);
  if (NO_TIN.test(text))
    return [
      `tin: recebido ${formatValue(tin)}, que não parece um TIN; deixe-o vazio se o operador não tem um.`,
    ];
  if (/^\d{14}$/.test(text) && hasValidCheckDigits(text))
    return [`tin: recebido ${formatValue(tin)}, que é um CNPJ brasileiro; o TIN é o do país do operador.`];
  const other = store.findLikeTin(cpfCnpjRaiz, codigo);
  return other === undefined
    ? []
    : [
        `tin: recebido ${formatValue(tin)}, que só por espaços, sinais ou maiúsculas difere do TIN do operador ativo ${other.codigo}, ${formatValue(other.tin)}; confira se são o mesmo.`,
      ];
}
