/**
 * Limits the share of each quota owner (contract section 16, Limits): a user gets at most a quarter of all, a
 * company half.
 */

/** A user who holds resources, and the company of the request if it is known. */
export interface QuotaOwner {
  readonly user: string;
  readonly company?: string | undefined;
  /**
   * Aborts when the client of the request disconnects, or when its right ends: work that serves only its
   * answer ends then. The reason is the refusal, if it is a `DomainError`.
   */
  readonly signal?: AbortSignal | undefined;
}

/** The exhausted limit: of all, of a user or of a company. */
export type ExceededLimit = 'all' | 'user' | 'company';

const USER_PART = 1 / 4;
const COMPANY_PART = 1 / 2;

/** The maximum of one quota owner. */
interface Maximum {
  readonly user: number;
  readonly company: number;
}

export class FairShares {
  readonly total: number;
  readonly #most: Maximum;
  #taken = 0;
  readonly #ofUsers = new Map<string, number>();
  readonly #ofCompanies = new Map<string, number>();

  constructor(total: number, most: Maximum = { user: total * USER_PART, company: total * COMPANY_PART }) {
    this.total = total;
    this.#most = most;
  }

  /**
   * Returns the exhausted limit, or `undefined` when the quota owner may take `amount` more. `own`: what it
   * already holds, when `amount` adds to that. A first request is never refused, however small the shares
   * are.
   */
  exceededLimit({ user, company }: QuotaOwner, amount = 1, own = 0): ExceededLimit | undefined {
    const isOver = (taken: number, most: number): boolean => taken > own && taken + amount > most;
    if (isOver(this.#taken, this.total)) return 'all';
    if (isOver(this.#ofUsers.get(user) ?? 0, this.#most.user)) return 'user';
    if (company !== undefined && isOver(this.#ofCompanies.get(company) ?? 0, this.#most.company))
      return 'company';
    return undefined;
  }

  take({ user, company }: QuotaOwner, amount = 1): void {
    this.#taken += amount;
    add(this.#ofUsers, user, amount);
    if (company !== undefined) add(this.#ofCompanies, company, amount);
  }

  give(quotaOwner: QuotaOwner, amount = 1): void {
    this.take(quotaOwner, -amount);
  }
}

function add(sums: Map<string, number>, key: string, amount: number): void {
  const sum = (sums.get(key) ?? 0) + amount;
  if (sum === 0) sums.delete(key);
  else sums.set(key, sum);
}

/** Describes the limit for the refused caller: `de todos`, or that of its part. */
export function exceededLimitText(
  exceededLimit: ExceededLimit,
  { company }: QuotaOwner,
  setting: string,
): string {
  if (exceededLimit === 'all') return `o máximo desta instância (${setting})`;
  return exceededLimit === 'user'
    ? `a parte de um usuário (um quarto de ${setting})`
    : `a parte da empresa ${company} (metade de ${setting})`;
}
