/** Composes the query of a list from its filters; the SQL itself is in each feature's list-query.ts. */
import type { Db } from '../db/open.ts';
import { folded } from '../validation/text.ts';

export type Parameter = string | number;

export interface Query {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
}

/** Collects conditions and their parameters in the order of the SQL. */
export class Conditions {
  readonly #texts: string[] = [];
  readonly #parameters: Parameter[] = [];

  add(text: string, ...parameters: Parameter[]): void {
    this.#texts.push(text);
    this.#parameters.push(...parameters);
  }

  /** Adds the condition if the filter has a value. */
  when(value: Parameter | undefined, text: string): void {
    if (value !== undefined) this.add(text, value);
  }

  get sql(): string {
    return this.#texts.join(' AND ');
  }

  get parameters(): readonly Parameter[] {
    return this.#parameters;
  }
}

/** Returns the text of a "contains" filter, without case and accents. */
export const foldedOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : folded(text);

/** Returns the number of a company, which is part of its record keys. */
export const companyIdOf = (db: Db, cpfCnpjRaiz: string): number | undefined =>
  db.prepare<[string], number>('SELECT id FROM company WHERE cpf_cnpj_raiz = ?').pluck().get(cpfCnpjRaiz);

/** Number of a company that does not exist: it has no records. */
export const NO_COMPANY = 0;

/** Counts the rows of a source, which is the text after FROM. */
export const countOf = (db: Db, source: string, parameters: readonly Parameter[]): number =>
  db
    .prepare<Parameter[], number>(`SELECT count(*) FROM ${source}`)
    .pluck()
    .get(...parameters) ?? 0;
