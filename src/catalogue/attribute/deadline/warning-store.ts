/** Stores which warnings each company received. */
import { Store } from '../../../db/prepared.ts';
import type { Warning } from './model.ts';

/** Position among the products of a warning. */
export interface WarningPosition {
  readonly ncm: string;
  readonly codigo: number;
}

/** Progress of publishing a warning to a company. */
export interface WarningProgress {
  /** Days before the deadline at which the warning was due. */
  readonly days: number;
  /** Last product in a published event. */
  readonly after: WarningPosition;
  /** True once the last part of the warning is published. */
  readonly isComplete: boolean;
}

interface WarningRow extends WarningPosition {
  readonly days: number;
  readonly isComplete: 0 | 1;
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

/** Stored in place of attribute and modality for the end of an NCM: their names are never empty. */
const NCM_ENDS = '';

const COMPANY_ID = '(SELECT c.id FROM company c WHERE c.cpf_cnpj_raiz = ?)';

export class WarningStore extends Store {
  readonly #find = this.one<KeyValues, WarningRow>(
    `SELECT days, after_ncm AS ncm, after_codigo AS codigo, is_told AS isComplete FROM deadline_warning
     WHERE company_id = ${COMPANY_ID} AND on_day = ? AND kind = ? AND codigo = ? AND modalidade = ?`,
  );
  readonly #put = this.runs(
    `INSERT INTO deadline_warning
       (company_id, on_day, kind, codigo, modalidade, days, after_ncm, after_codigo, is_told)
     VALUES (${COMPANY_ID}, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (company_id, on_day, kind, codigo, modalidade) DO UPDATE SET days = excluded.days,
       after_ncm = excluded.after_ncm, after_codigo = excluded.after_codigo, is_told = excluded.is_told`,
  );

  find(key: Key): WarningProgress | undefined {
    const row = this.#find(...keyOf(key));
    if (row === undefined) return undefined;
    const { days, ncm, codigo, isComplete } = row;
    return { days, after: { ncm, codigo }, isComplete: isComplete === 1 };
  }

  put(key: Key, { days, after, isComplete }: WarningProgress): void {
    this.#put(...keyOf(key), days, after.ncm, after.codigo, isComplete ? 1 : 0);
  }
}
