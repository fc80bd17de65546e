/**
 * Reads members of a table file and records each fault with its pointer; pointers are built only for faults.
 */
import type { Day } from '../../../clock.ts';
import type { Problem, RuleCode } from '../../../errors.ts';
import { formatValue } from '../../../validation/format-value.ts';
import { isDay } from '../../../validation/calendar.ts';
import { escaped, memberOf } from '../../../pointer.ts';
import { isNumberText, scalarText } from '../../../validation/json-number.ts';
import { isObject } from '../../../validation/json-value.ts';
import { isStorable } from '../../../validation/text.ts';
import { TABLE_CODES } from '../words/codes.ts';
import type { Validity } from '../words/model.ts';

export type Members = Readonly<Record<string, unknown>>;

/** Maximum number of faults: a file with more has another layout, or comes from a faulty program. */
export const MAX_FAULTS = 20;

/**
 * Maximum length of a text, in UTF-16 units. The longest texts of the public table have some thousands; a
 * megabyte in one member is an error.
 */
export const TABLE_TEXT_MAX_UNITS = 20_000;

/** Codes of the rules that a file may violate; by default those of an attribute table. */
interface FileCodes {
  readonly layout: RuleCode;
  readonly text: RuleCode;
}

export class TableReader {
  readonly #codes: FileCodes;
  readonly #faults: Problem[] = [];
  readonly #path: (string | number)[] = [];
  readonly #acceptedDays = new Set<string>();

  constructor(codes: FileCodes = TABLE_CODES) {
    this.#codes = codes;
  }

  get faults(): readonly Problem[] {
    return this.#faults;
  }

  /** Records a fault at a member of the current position, or at the position itself. */
  fault(rule: RuleCode, message: string, member?: string): void {
    if (this.#faults.length >= MAX_FAULTS) return;
    const path = this.pointer(member);
    this.#faults.push({
      code: rule.code,
      message: `${path === '' ? 'Raiz' : path}: ${message}`,
      field: memberOf(path),
      path,
    });
  }

  pointer(member?: string): string {
    const steps = member === undefined ? this.#path : [...this.#path, member];
    return steps.map((step) => `/${escaped(String(step))}`).join('');
  }

  /** Reads each item of a list member; a list that is absent or `null` is empty unless it is required. */
  each<T>(members: Members, name: string, read: (item: unknown) => T | undefined, required = false): T[] {
    const items = members[name];
    if (!Array.isArray(items)) {
      if (items !== undefined && items !== null) this.#unexpected(name, items, 'uma lista');
      else if (required) this.fault(this.#codes.layout, 'lista obrigatória ausente.', name);
      return [];
    }
    const result: T[] = [];
    this.#path.push(name, 0);
    for (let index = 0; index < items.length && this.#faults.length < MAX_FAULTS; index += 1) {
      this.#path[this.#path.length - 1] = index;
      const value = read(items[index]);
      if (value !== undefined) result.push(value);
    }
    this.#path.length -= 2;
    return result;
  }

  /** Reads a member that is an object. */
  within<T>(members: Members, name: string, read: (item: unknown) => T): T {
    this.#path.push(name);
    const value = read(members[name]);
    this.#path.pop();
    return value;
  }

  object(value: unknown): Members | undefined {
    if (isObject(value) && !isNumberText(value)) return value;
    this.fault(this.#codes.layout, `recebido ${receivedText(value)}; esperado um objeto JSON.`);
    return undefined;
  }

  /** Reads a text; takes numbers and booleans as text, digit for digit. Returns `''` when absent. */
  text(members: Members, name: string, maxUnits = TABLE_TEXT_MAX_UNITS): string {
    const value = members[name];
    if (value === undefined || value === null) return '';
    const text = scalarText(value) ?? value;
    if (typeof text !== 'string') return this.#unexpected(name, value, 'um texto') ?? '';
    if (text.length > maxUnits)
      this.fault(
        this.#codes.text,
        `texto de ${text.length} caracteres, ${formatValue(text)}; o máximo é ${maxUnits}.`,
        name,
      );
    else if (!isStorable(text))
      this.fault(
        this.#codes.text,
        `${formatValue(text)} tem um caractere NUL ou um substituto Unicode isolado.`,
        name,
      );
    return text;
  }

  requiredText(members: Members, name: string, maxUnits: number): string {
    const faults = this.#faults.length;
    const text = this.text(members, name, maxUnits);
    if (text === '' && this.#faults.length === faults)
      this.fault(this.#codes.layout, 'texto obrigatório ausente ou vazio.', name);
    return text;
  }

  /** Reads a text of a closed list. */
  oneOf<T extends string>(members: Members, name: string, accepted: readonly T[]): T | undefined {
    const value = members[name];
    if (typeof value === 'string' && accepted.includes(value as T)) return value as T;
    return this.#unexpected(name, value, accepted.join(', '));
  }

  /** Reads a boolean; absent is `false`. */
  flag(members: Members, name: string): boolean {
    const value = members[name];
    if (typeof value === 'boolean') return value;
    if (value === 'true') return true;
    if (value !== undefined && value !== null && value !== 'false' && value !== '')
      this.#unexpected(name, value, 'true ou false');
    return false;
  }

  /** Reads a whole number from 0 on, also written as text; returns `undefined` when absent or empty. */
  count(members: Members, name: string): number | undefined {
    const value = members[name];
    if (value === undefined || value === null || value === '') return undefined;
    const isDigits = typeof value === 'string' && /^\d{1,9}$/.test(value);
    const number = isDigits || isNumberText(value) ? Number(scalarText(value) ?? value) : value;
    if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number;
    return this.#unexpected(name, value, 'um número inteiro a partir de 0');
  }

  /** Reads both days of validity; the public file omits an open end in pairs and writes `""` in details. */
  validity(members: Members): Validity {
    const dataInicioVigencia = this.#day(members, 'dataInicioVigencia');
    const dataFimVigencia = this.#day(members, 'dataFimVigencia');
    if (dataFimVigencia !== '' && dataFimVigencia < dataInicioVigencia)
      this.fault(
        this.#codes.layout,
        `fim ${dataFimVigencia} antes do início ${dataInicioVigencia}.`,
        'dataFimVigencia',
      );
    return { dataInicioVigencia, dataFimVigencia };
  }

  #day(members: Members, name: string): Day | '' {
    const value = members[name];
    if (value === undefined || value === null || value === '') return '';
    // A whole table has some hundred different days: each is checked once.
    if (typeof value === 'string' && (this.#acceptedDays.has(value) || isDay(value))) {
      this.#acceptedDays.add(value);
      return value;
    }
    return this.#unexpected(name, value, 'uma data yyyy-MM-dd') ?? '';
  }

  #unexpected(name: string, value: unknown, accepted: string): undefined {
    this.fault(this.#codes.layout, `recebido ${receivedText(value)}; aceito: ${accepted}.`, name);
  }
}

/**
 * Describes the received value in words; lists and objects only by kind, since they may be as long as the file.
 */
function receivedText(value: unknown): string {
  if (Array.isArray(value)) return 'uma lista';
  return isObject(value) && !isNumberText(value) ? 'um objeto' : formatValue(value);
}
