/** How the query of a list is composed of its filters; the SQL itself stands in each feature's list-query.ts. */
import type { Db } from '../db/open.ts';
import { folded } from '../validation/text.ts';

export type Parameter = string | number;

export interface Query {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
}

/** Collects conditions and their parameters in the order in which SQL meets them. */
export class Conditions {
  readonly #texts: string[] = [];
  readonly #parameters: Parameter[] = [];

  add(text: string, ...parameters: Parameter[]): void {
    this.#texts.push(text);
    this.#parameters.push(...parameters);
  }

  /** Adds the condition where the filter asks for it. */
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

/** What a "contains" filter looks for, without case and accents. */
export const foldedOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : folded(text);

/** The number of a company, by which its records are found. */
export const companyIdOf = (db: Db, cpfCnpjRaiz: string): number | undefined =>
  db.prepare<[string], number>('SELECT id FROM company WHERE cpf_cnpj_raiz = ?').pluck().get(cpfCnpjRaiz);

/** The number of a company that does not exist: it has no records. */
export const NO_COMPANY = 0;

/** How many rows there are of what follows FROM. */
export const countOf = (db: Db, source: string, parameters: readonly Parameter[]): number =>
  db
    .prepare<Parameter[], number>(`SELECT count(*) FROM ${source}`)
    .pluck()
    .get(...parameters) ?? 0;
