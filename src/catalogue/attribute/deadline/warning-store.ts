/** Stores which warnings each company received. */
import { Store } from '../../../db/prepared.ts';
import type { Warning } from './model.ts';

/** Position among the products of a warning. */
export interface WarningPlace {
  readonly ncm: string;
  readonly codigo: number;
}

/** Progress of a company's warning. */
export interface Warned {
  /** Days before the deadline at which the warning was due. */
  readonly days: number;
  /** Last product in a published event. */
  readonly after: WarningPlace;
  readonly isTold: boolean;
}

interface WarnedRow extends WarningPlace {
  readonly days: number;
  readonly isTold: 0 | 1;
}

type Key = Pick<Warning, 'cpfCnpjRaiz' | 'on' | 'kind' | 'codigo' | 'modalidade'>;

type KeyValues = [cpfCnpjRaiz: string, on: string, kind: string, codigo: string, modalidade: string];

const keyOf = ({ cpfCnpjRaiz, on, kind, codigo, modalidade }: Key): KeyValues => [
  cpfCnpjRaiz,
  on,
  kind,
  codigo ?? NCM_ENDS,
  modalidade ?? NCM_ENDS,
];

/** Key for the end of an NCM: no attribute and no modality has an empty name. */
const NCM_ENDS = '';

const COMPANY_ID = '(SELECT c.id FROM company c WHERE c.cpf_cnpj_raiz = ?)';

export class WarningStore extends Store {
  readonly #find = this.one<KeyValues, WarnedRow>(
    `SELECT days, after_ncm AS ncm, after_codigo AS codigo, is_told AS isTold FROM deadline_warning
     WHERE company_id = ${COMPANY_ID} AND on_day = ? AND kind = ? AND codigo = ? AND modalidade = ?`,
  );
  readonly #put = this.runs(
    `INSERT INTO deadline_warning
       (company_id, on_day, kind, codigo, modalidade, days, after_ncm, after_codigo, is_told)
     VALUES (${COMPANY_ID}, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (company_id, on_day, kind, codigo, modalidade) DO UPDATE SET days = excluded.days,
       after_ncm = excluded.after_ncm, after_codigo = excluded.after_codigo, is_told = excluded.is_told`,
  );

  find(key: Key): Warned | undefined {
    const row = this.#find(...keyOf(key));
    if (row === undefined) return undefined;
    const { days, ncm, codigo, isTold } = row;
    return { days, after: { ncm, codigo }, isTold: isTold === 1 };
  }

  put(key: Key, { days, after, isTold }: Warned): void {
    this.#put(...keyOf(key), days, after.ncm, after.codigo, isTold ? 1 : 0);
  }
}
