/** Formats numbers, moments and codes for people. */

/** `1.234` */
export const countText = (number: number): string => number.toLocaleString('pt-BR');

/** `1 item`, `1.234 itens` */
export const withCount = (number: number, singular: string, plural: string): string =>
  `${countText(number)} ${number === 1 ? singular : plural}`;

const KIB = 1024;
const MIB = 1024 * KIB;

/** `1,5 MiB` */
export function sizeText(bytes: number): string {
  if (bytes < KIB) return withCount(bytes, 'byte', 'bytes');
  const [amount, unit] = bytes < MIB ? [bytes / KIB, 'KiB'] : [bytes / MIB, 'MiB'];
  return `${amount.toLocaleString('pt-BR', { maximumFractionDigits: 1 })} ${unit}`;
}

/** Formats `2026-11-20` as `20/11/2026`. */
export const dayText = (text: string): string => text.slice(0, 10).split('-').reverse().join('/');

/** Returns true for a day in the form `2026-11-20`. */
export const hasDayForm = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text);

/** Converts `20/11/2026`, as people type it, to `2026-11-20`. Any other text is returned unchanged. */
export function isoDay(text: string): string {
  const [, dd = '', mm = '', yyyy] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text.trim()) ?? [];
  return yyyy === undefined ? text.trim() : `${yyyy}-${mm.padStart(2, '0')}-${dd.padStart(2, '0')}`;
}

/** Formats `2026-11-20T10:31:07`, with or without its offset, as `20/11/2026 10:31`. */
export function momentText(text: string): string {
  const time = text.slice(11, 16);
  return time === '' ? dayText(text) : `${dayText(text)} ${time}`;
}

/** Formats a moment as `20/11/2026 10:31:07`, for lists in which the order matters. */
export const secondText = (text: string): string => `${dayText(text)} ${text.slice(11, 19)}`;

/** Removes the dots and spaces that people write between the digits of an NCM. */
export const ncmDigits = (text: string): string => text.replaceAll(/[.\s]/g, '');

/** Returns true for a complete NCM: eight digits. */
export const isFullNcm = (text: string): boolean => /^\d{8}$/.test(text);

/** Formats an NCM as `8712.00.10`. Any other text is returned unchanged. */
export const ncmText = (ncm: string): string => ncm.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1.$2.$3');

/**
 * Formats a root as `12.345.678`, a CNPJ as `12.345.678/0001-95`, a CPF as `123.456.789-01`. Any other text
 * is returned unchanged.
 */
export const numberText = (number: string): string =>
  number
    .replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4')
    .replace(/^([\dA-Z]{2})([\dA-Z]{3})([\dA-Z]{3})$/, '$1.$2.$3')
    .replace(/^([\dA-Z]{2})([\dA-Z]{3})([\dA-Z]{3})([\dA-Z]{4})(\d{2})$/, '$1.$2.$3/$4-$5');

/** Removes the points from numbers, NCMs and beginnings of NCMs in words that are typed or pasted. */
export const unpointed = (text: string): string =>
  text.replaceAll(
    /(?<![^\s/])(?:\d{4}\.\d{2}(?:\.\d{1,2})?|\d{3}\.\d{3}\.\d{3}-\d{2}|[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}(?:\/[\dA-Z]{4}-\d{2})?)(?![^\s/])/gi,
    (number) => number.replaceAll(/[./-]/g, ''),
  );

/** Returns `Validação` for the setting `validacao`. */
export const ambienteName = (ambiente: string): string => AMBIENTES[ambiente] ?? ambiente;

const AMBIENTES: Readonly<Record<string, string>> = {
  producao: 'Produção',
  validacao: 'Validação',
  homologacao: 'Homologação',
};

/** Removes accents and capitals, for searches. */
export const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Splits a typed text into its search words. */
export const wordsOf = (typedText: string): readonly string[] =>
  folded(typedText).split(/\s+/).filter(Boolean);

/** Returns a test for texts that contain every typed word. */
export function finder(typedText: string): (text: string) => boolean {
  const words = wordsOf(typedText);
  return (text) => {
    const plain = folded(text);
    return words.every((word) => plain.includes(word));
  };
}

/** The profiles of the specification with their words, the most common first. */
export const PROFILES: Readonly<Record<string, string>> = {
  IMPEXP: 'importador, exportador ou despachante',
  DEPOSIT: 'depositário',
  OPERPORT: 'operador portuário',
  TRANSPORT: 'transportador',
  TRANSPEST: 'representante de transportador estrangeiro',
  AGECARGA: 'agente de carga',
  AGEREMESS: 'agente de remessas',
  AJUDESPAC: 'ajudante de despachante',
  INSTFINANC: 'instituição financeira',
  CONTATOOEA: 'contato de operador econômico autorizado',
  RESPLEGAL: 'responsável legal',
  HABILITAD: 'habilitador',
  TERCEIROS: 'terceiros',
  EMPRCOMEL: 'empresa de comércio eletrônico',
};

export const PROFILE_OPTIONS = Object.entries(PROFILES).map(([value, words]) => ({
  value,
  label: `${value}, ${words}`,
}));
