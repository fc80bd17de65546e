/**
 * Hashes passwords with argon2id, on threads of the runtime. Each hash takes memory and much time, so few run at
 * once, and at most one for each address (contract section 16, work whose cost is bounded).
 */
import { type RealTime, SECOND_MS } from '../clock.ts';
import { FairShares, type QuotaOwner } from '../fair-shares.ts';
import { Admission } from '../reading/admission.ts';
import { randomText } from './secrets.ts';

/** The minimum that OWASP recommends. `memoryCost` is in KiB. */
const COST = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;

/** Maximum number of concurrent hashes in all, and of one address. */
const AT_ONCE = { total: 2, address: 1 } as const;
/**
 * Maximum number of sign-ins that wait for their hash, in all and of one address. Others are refused at once.
 */
export const WAITING_PASSWORDS = { total: 200, address: 50 } as const;
const WAIT_MS = 20 * SECOND_MS;
const UNUSED_PASSWORD_BYTES = 32;

export class PasswordHashes {
  readonly #admission: Admission;
  readonly #waiting = new FairShares(WAITING_PASSWORDS.total, {
    user: WAITING_PASSWORDS.address,
    company: WAITING_PASSWORDS.total,
  });
  #unusedHash: Promise<string> | undefined;

  constructor(realTime: RealTime) {
    this.#admission = new Admission(
      new FairShares(AT_ONCE.total, { user: AT_ONCE.address, company: AT_ONCE.total }),
      WAIT_MS,
      realTime,
      () => 'Há senhas demais sendo conferidas neste momento',
    );
  }

  /** Throws 503 when too many wait. */
  hash(password: string, address: string): Promise<string> {
    return this.#inTurn(address, () => Bun.password.hash(sameText(password), COST));
  }

  /**
   * Compares a password with a stored hash. `undefined`: there is no hash; the comparison takes as long as with
   * one. Throws 503 when too many wait.
   */
  isRight(password: string, stored: string | undefined, address: string): Promise<boolean> {
    return this.#inTurn(address, async () => {
      this.#unusedHash ??= Bun.password.hash(randomText(UNUSED_PASSWORD_BYTES), COST);
      const unusedHash = await this.#unusedHash;
      const isEqual = await Bun.password.verify(sameText(password), stored ?? unusedHash);
      return isEqual && stored !== undefined;
    });
  }

  /** Refuses all waiting sign-ins. */
  close(): void {
    this.#admission.close();
  }

  async #inTurn<T>(address: string, work: () => Promise<T>): Promise<T> {
    const quotaOwner: QuotaOwner = { user: address };
    if (this.#waiting.exceededLimit(quotaOwner) !== undefined) throw this.#admission.tooMany(quotaOwner);
    this.#waiting.take(quotaOwner);
    try {
      await this.#admission.enter(quotaOwner);
    } finally {
      this.#waiting.give(quotaOwner);
    }
    try {
      return await work();
    } finally {
      this.#admission.leave(quotaOwner);
    }
  }
}

/** Normalizes a password: keyboards may send the same letter with an accent as different characters. */
const sameText = (password: string): string => password.normalize('NFKC');
