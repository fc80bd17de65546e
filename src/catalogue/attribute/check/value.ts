/** Checks one value against its attribute: type, size, decimals, domain and mask (contract section 8). */
import { formatValue } from '../../../validation/format-value.ts';
import { isDay } from '../../../validation/calendar.ts';
import { codePoints } from '../../../validation/text.ts';
import type { RuleCode } from '../../../errors.ts';
import { ATTRIBUTE_CODES } from '../words/codes.ts';
import { type Domain, domainInWords, nearestCode, prepareDomain } from './domain.ts';
import type { AttributeDetail, FormaPreenchimento } from '../words/model.ts';

export interface ValueRule {
  readonly forma: FormaPreenchimento;
  /** Characters; for numbers, digits. */
  readonly maxSize: number;
  readonly maxDecimals: number;
  readonly mask: RegExp | undefined;
  readonly maskText: string;
  readonly domain: Domain | undefined;
}

export interface ValueFault {
  readonly rule: RuleCode;
  /** States what was received and what is accepted; the caller puts the attribute's name before it. */
  readonly message: string;
  /** Nearest accepted value. */
  readonly suggestion?: string | undefined;
}

/** Maximum characters of a value if the table sets no size (contract section 4). */
const VALUE_MAX_CHARACTERS = 3700;

export function prepareValue(detail: AttributeDetail): ValueRule {
  const { formaPreenchimento: forma, tamanhoMaximo, casasDecimais, mascara } = detail;
  const hasMask = mascara !== undefined && takesMask(forma);
  return {
    forma,
    // The table counts some sizes without the separators of the mask: such a size would refuse every value.
    maxSize: Math.max(tamanhoMaximo ?? VALUE_MAX_CHARACTERS, hasMask ? codePoints(mascara) : 0),
    maxDecimals: casasDecimais ?? Number.POSITIVE_INFINITY,
    mask: hasMask ? maskPattern(mascara) : undefined,
    maskText: mascara ?? '',
    domain: takesDomain(forma) ? prepareDomain(detail.dominio) : undefined,
  };
}

/** Returns true for forms whose values must match the mask. The mask of other forms only describes a screen. */
const takesMask = (forma: FormaPreenchimento): boolean =>
  forma === 'TEXTO' ||
  forma === 'NUMERO_INTEIRO' ||
  forma === 'NUMERO_REAL' ||
  forma === 'DOMINIO_DINAMICO' ||
  forma === 'LISTA_TABX_FILTRO';

export const takesDomain = (forma: FormaPreenchimento): boolean =>
  forma === 'LISTA_ESTATICA' || forma === 'DOMINIO_DINAMICO' || forma === 'LISTA_TABX_FILTRO';

const NO_FAULTS: readonly ValueFault[] = [];

export function valueFaults(rule: ValueRule, value: string): readonly ValueFault[] {
  if (value === '') return [{ rule: ATTRIBUTE_CODES.valueMissing, message: 'informado sem valor.' }];
  switch (rule.forma) {
    case 'BOOLEANO':
      return value === 'true' || value === 'false'
        ? NO_FAULTS
        : [wrongType(value, '"true" ou "false"', booleanHint(value))];
    case 'DATA':
      return isDay(value) ? NO_FAULTS : [wrongType(value, 'uma data existente, yyyy-MM-dd', dayHint(value))];
    case 'DATA_HORA':
      return isMoment(value)
        ? NO_FAULTS
        : [wrongType(value, 'data e hora existentes, yyyy-MM-ddTHH:mm:ss', undefined)];
    case 'NUMERO_INTEIRO':
      return INTEGER.test(value)
        ? numberFaults(rule, value)
        : [wrongType(value, 'um número inteiro, só algarismos (e "-" na frente)', undefined)];
    case 'NUMERO_REAL':
      return DECIMAL.test(value)
        ? numberFaults(rule, value)
        : [
            wrongType(
              value,
              'um número com "." antes dos decimais, sem separador de milhar',
              decimalHint(value),
            ),
          ];
    default:
      return textFaults(rule, value);
  }
}

const INTEGER = /^-?\d+$/;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;
const TIME = /^T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;
const DAY_CHARACTERS = 10;

const isMoment = (value: string): boolean =>
  TIME.test(value.slice(DAY_CHARACTERS)) && isDay(value.slice(0, DAY_CHARACTERS));

function numberFaults(rule: ValueRule, value: string): readonly ValueFault[] {
  const point = value.indexOf('.');
  const digits = value.length - (point < 0 ? 0 : 1) - (value.startsWith('-') ? 1 : 0);
  const decimals = point < 0 ? 0 : value.length - point - 1;
  const isMasked = rule.mask === undefined || rule.mask.test(value);
  if (digits <= rule.maxSize && decimals <= rule.maxDecimals && isMasked) return NO_FAULTS;
  const faults: ValueFault[] = [];
  if (digits > rule.maxSize)
    faults.push({
      rule: ATTRIBUTE_CODES.tooLong,
      message: `recebido ${formatValue(value)} com ${digits} algarismos; aceita no máximo ${rule.maxSize}.`,
    });
  if (decimals > rule.maxDecimals)
    faults.push({
      rule: ATTRIBUTE_CODES.tooManyDecimals,
      message: `recebido ${formatValue(value)} com ${decimals} casas decimais; aceita no máximo ${rule.maxDecimals}.`,
    });
  if (!isMasked) faults.push(maskFault(rule, value));
  return faults;
}

function textFaults(rule: ValueRule, value: string): readonly ValueFault[] {
  if (rule.domain !== undefined)
    return rule.domain.codes.has(value) ? NO_FAULTS : [domainFault(rule.domain, value)];
  const faults: ValueFault[] = [];
  // A text never has more code points than UTF-16 units, so most texts need no count.
  if (value.length > rule.maxSize && codePoints(value) > rule.maxSize)
    faults.push({
      rule: ATTRIBUTE_CODES.tooLong,
      message: `recebido ${formatValue(value)} com ${codePoints(value)} caracteres; aceita no máximo ${rule.maxSize}.`,
    });
  if (rule.mask !== undefined && !rule.mask.test(value)) faults.push(maskFault(rule, value));
  return faults;
}

function domainFault(domain: Domain, value: string): ValueFault {
  const hint = nearestCode(domain, value);
  return {
    rule: ATTRIBUTE_CODES.notInDomain,
    message: `recebido ${formatValue(value)}, que não está no domínio; aceita ${domainInWords(domain)}.${question(hint)}`,
    suggestion: hint,
  };
}

const maskFault = (rule: ValueRule, value: string): ValueFault => ({
  rule: ATTRIBUTE_CODES.maskMismatch,
  message: `recebido ${formatValue(value)}; a máscara é ${formatValue(rule.maskText)} (9 = algarismo, A = letra, X = qualquer caractere).`,
});

const wrongType = (value: string, accepted: string, hint: string | undefined): ValueFault => ({
  rule: ATTRIBUTE_CODES.wrongType,
  message: `recebido ${formatValue(value)}; aceita ${accepted}.${question(hint)}`,
  suggestion: hint,
});

const question = (hint: string | undefined): string =>
  hint === undefined ? '' : ` Você quis dizer ${formatValue(hint)}?`;

function booleanHint(value: string): string | undefined {
  if (/^(?:true|sim|s|1)$/i.test(value)) return 'true';
  return /^(?:false|n[ãa]o|n|0)$/i.test(value) ? 'false' : undefined;
}

function dayHint(value: string): string | undefined {
  const parts = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(value);
  if (parts === null) return undefined;
  const day = `${parts[3]}-${parts[2]}-${parts[1]}`;
  return isDay(day) ? day : undefined;
}

function decimalHint(value: string): string | undefined {
  const hint = value.replaceAll('.', '').replace(',', '.');
  return value.includes(',') && DECIMAL.test(hint) ? hint : undefined;
}

/** Patterns of the characters of a mask (contract section 8). Any other character matches only itself. */
const MASK_PATTERNS: Readonly<Record<string, string>> = { '9': '\\d', A: '\\p{L}', X: '.' };

function maskPattern(mask: string): RegExp {
  const patterns = Array.from(
    mask,
    (char) => MASK_PATTERNS[char] ?? char.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'),
  );
  return new RegExp(`^${patterns.join('')}$`, 'su');
}
