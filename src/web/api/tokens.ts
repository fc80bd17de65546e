/**
 * The tokens of the session, in the sessionStorage of each tab: a reload keeps them, and with the last tab they are gone
 * (`other-tabs.ts` hands them from tab to tab). Only a script of this page could read them, and the
 * Content-Security-Policy lets none in but ours.
 */

/** In the storage of the tab. */
export const TOKENS_KEY = 'catp.session';

export interface Kept {
  readonly authorization: string;
  readonly csrf: string;
  /** Epoch milliseconds of the server's clock; of two answers the one that lasts longer is kept. */
  readonly until: number;
  /** When both tokens came, by the browser's clock: at the sign-in or the last renewal. The later ones are kept. */
  readonly since: number;
}

export class Tokens {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  get kept(): Kept | undefined {
    const kept = this.#storage.getItem(TOKENS_KEY);
    return kept === null ? undefined : (JSON.parse(kept) as Kept); // Only this class writes it.
  }

  get present(): boolean {
    return this.kept !== undefined;
  }

  /** What every request carries. */
  headers(): Readonly<Record<string, string>> {
    const { kept } = this;
    return kept === undefined ? {} : { Authorization: kept.authorization, 'X-CSRF-Token': kept.csrf };
  }

  /**
   * Takes over what an answer brings: both tokens of a sign-in or renewal, a new second one of any other (contract section 2). Answers
   * whether that is news for the other tabs: an older second token stays good until its own end.
   */
  take(headers: Headers): boolean {
    const { kept } = this;
    const [authorization, csrf] = [headers.get('Set-Token'), headers.get('X-CSRF-Token')];
    if (csrf === null) return false;
    const until = Number(headers.get('X-CSRF-Expiration'));
    if (authorization !== null) this.#keep({ authorization, csrf, until, since: Date.now() });
    else if (kept !== undefined && until >= kept.until) this.#keep({ ...kept, csrf, until });
    return authorization !== null || (kept !== undefined && until > kept.until);
  }

  /** Takes over what another tab has, where that lasts longer or began later. */
  adopt(other: Kept): void {
    const { kept } = this;
    const isNewer =
      kept === undefined ||
      (other.authorization === kept.authorization
        ? other.until > kept.until
        : other.since > kept.since ||
          (other.since === kept.since && other.authorization > kept.authorization));
    if (isNewer) this.#keep(other);
  }

  forget(): void {
    this.#storage.removeItem(TOKENS_KEY);
  }

  #keep(kept: Kept): void {
    this.#storage.setItem(TOKENS_KEY, JSON.stringify(kept));
  }
}
