/** Numbers, moments and codes as people read them. */

/** `1.234` */
export const count = (number: number): string => number.toLocaleString('pt-BR');

/** `1 item`, `1.234 itens` */
export const counted = (number: number, one: string, many: string): string =>
  `${count(number)} ${number === 1 ? one : many}`;

const KIB = 1024;
const MIB = 1024 * KIB;

/** `1,5 MiB` */
export function size(bytes: number): string {
  if (bytes < KIB) return counted(bytes, 'byte', 'bytes');
  const [amount, unit] = bytes < MIB ? [bytes / KIB, 'KiB'] : [bytes / MIB, 'MiB'];
  return `${amount.toLocaleString('pt-BR', { maximumFractionDigits: 1 })} ${unit}`;
}

/** `20/11/2026` of `2026-11-20` */
export const day = (text: string): string => text.slice(0, 10).split('-').reverse().join('/');

/** `2026-11-20` of `20/11/2026`, as people type it; anything else stays as it is. */
export function isoDay(text: string): string {
  const [, dd = '', mm = '', yyyy] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text.trim()) ?? [];
  return yyyy === undefined ? text.trim() : `${yyyy}-${mm.padStart(2, '0')}-${dd.padStart(2, '0')}`;
}

/** `20/11/2026 10:31` of `2026-11-20T10:31:07`, with or without its offset. */
export function moment(text: string): string {
  const time = text.slice(11, 16);
  return time === '' ? day(text) : `${day(text)} ${time}`;
}

/** `20/11/2026 10:31:07`: where the order of things counts. */
export const second = (text: string): string => `${day(text)} ${text.slice(11, 19)}`;

/** Dots and spaces between the digits are how people write an NCM. */
export const ncmDigits = (text: string): string => text.replaceAll(/[.\s]/g, '');

/** `8712.00.10`; what is no whole NCM stays as it is. */
export const ncmText = (ncm: string): string => ncm.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1.$2.$3');

/** `12.345.678` of a root, `12.345.678/0001-95` of a CNPJ, `123.456.789-01` of a CPF; anything else stays as it is. */
export const numberText = (number: string): string =>
  number
    .replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4')
    .replace(/^([\dA-Z]{2})([\dA-Z]{3})([\dA-Z]{3})$/, '$1.$2.$3')
    .replace(/^([\dA-Z]{2})([\dA-Z]{3})([\dA-Z]{3})([\dA-Z]{4})(\d{2})$/, '$1.$2.$3/$4-$5');

/** Of words that are typed or pasted: those that are a number with its points, an NCM or the beginning of one, without them. */
export const unpointed = (text: string): string =>
  text.replaceAll(
    /(?<![^\s/])(?:\d{4}\.\d{2}(?:\.\d{1,2})?|\d{3}\.\d{3}\.\d{3}-\d{2}|[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}(?:\/[\dA-Z]{4}-\d{2})?)(?![^\s/])/gi,
    (number) => number.replaceAll(/[./-]/g, ''),
  );

/** `Validação` of the setting `validacao` */
export const ambienteName = (ambiente: string): string => AMBIENTES[ambiente] ?? ambiente;

const AMBIENTES: Readonly<Record<string, string>> = {
  producao: 'Produção',
  validacao: 'Validação',
  homologacao: 'Homologação',
};

/** Without accents and capitals, for searching. */
export const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** The words that somebody looks for. */
export const wordsOf = (typed: string): readonly string[] => folded(typed).split(/\s+/).filter(Boolean);

/** Says of a text whether it has every word that was typed. */
export function finder(typed: string): (text: string) => boolean {
  const words = wordsOf(typed);
  return (text) => {
    const plain = folded(text);
    return words.every((word) => plain.includes(word));
  };
}

/** The profiles of the specification, the usual one first. */
export const PROFILES: readonly string[] = [
  ...['IMPEXP', 'DEPOSIT', 'OPERPORT', 'TRANSPORT', 'TRANSPEST', 'AGECARGA', 'AGEREMESS', 'AJUDESPAC'],
  ...['INSTFINANC', 'CONTATOOEA', 'RESPLEGAL', 'HABILITAD', 'TERCEIROS', 'EMPRCOMEL'],
];
