/** Nobody takes more than a share (contract section 16, Limits): a user at most a quarter of all, a company half. */

/** Who takes: a user, at work for a company where one is known. */
export interface Holder {
  readonly user: string;
  readonly company?: string | undefined;
  /** Aborts when the client of the request leaves: whatever is done only for its answer ends then. */
  readonly leaves?: AbortSignal | undefined;
}

/** Of what there is not enough: in all, or of the part of one. */
export type Lack = 'all' | 'user' | 'company';

const USER_PART = 1 / 4;
const COMPANY_PART = 1 / 2;

/** The most that one may take. */
interface Most {
  readonly user: number;
  readonly company: number;
}

export class FairShares {
  readonly total: number;
  readonly #most: Most;
  #taken = 0;
  readonly #ofUsers = new Map<string, number>();
  readonly #ofCompanies = new Map<string, number>();

  constructor(total: number, most: Most = { user: total * USER_PART, company: total * COMPANY_PART }) {
    this.total = total;
    this.#most = most;
  }

  /**
   * Why this holder may not take so much more. `own`: what it adds to, if that is not by itself; nobody is refused a first
   * one, whatever the parts come to.
   */
  lack({ user, company }: Holder, amount = 1, own = 0): Lack | undefined {
    const isOver = (taken: number, most: number): boolean => taken > own && taken + amount > most;
    if (isOver(this.#taken, this.total)) return 'all';
    if (isOver(this.#ofUsers.get(user) ?? 0, this.#most.user)) return 'user';
    if (company !== undefined && isOver(this.#ofCompanies.get(company) ?? 0, this.#most.company))
      return 'company';
    return undefined;
  }

  take({ user, company }: Holder, amount = 1): void {
    this.#taken += amount;
    add(this.#ofUsers, user, amount);
    if (company !== undefined) add(this.#ofCompanies, company, amount);
  }

  give(holder: Holder, amount = 1): void {
    this.take(holder, -amount);
  }
}

function add(sums: Map<string, number>, key: string, amount: number): void {
  const sum = (sums.get(key) ?? 0) + amount;
  if (sum === 0) sums.delete(key);
  else sums.set(key, sum);
}

/** Whose limit it is, for whoever met it: `de todos`, or of the one that has its part. */
export function lackText(lack: Lack, { company }: Holder, setting: string): string {
  if (lack === 'all') return `o máximo desta instância (${setting})`;
  return lack === 'user'
    ? `a parte de um usuário (um quarto de ${setting})`
    : `a parte da empresa ${company} (metade de ${setting})`;
}
