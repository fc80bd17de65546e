/**
 * Session tokens in the sessionStorage of each tab. They survive a reload and disappear with the last tab
 * (`other-tabs.ts` shares them between tabs). Only a script of this page could read them, and the
 * Content-Security-Policy allows only scripts of catp.
 */

/** Key in the sessionStorage. */
export const TOKENS_KEY = 'catp.session';

export interface StoredTokens {
  readonly authorization: string;
  readonly csrf: string;
  /** Expiry in epoch milliseconds of the server clock. The later one of two responses is kept. */
  readonly until: number;
  /**
   * Time of receipt of both tokens by the browser clock: at sign-in or the last renewal. The later ones are
   * kept.
   */
  readonly since: number;
}

export class Tokens {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  get current(): StoredTokens | undefined {
    const storedText = this.#storage.getItem(TOKENS_KEY);
    return storedText === null ? undefined : (JSON.parse(storedText) as StoredTokens); // Only this class writes it.
  }

  get present(): boolean {
    return this.current !== undefined;
  }

  /** Returns the headers of every request. */
  headers(): Readonly<Record<string, string>> {
    const { current } = this;
    return current === undefined
      ? {}
      : { Authorization: current.authorization, 'X-CSRF-Token': current.csrf };
  }

  /**
   * Stores the tokens of a response: both after a sign-in or renewal, a new second one after any other
   * (contract section 2). Returns true if the other tabs need them: an older second token stays valid until
   * its own expiry.
   */
  take(headers: Headers): boolean {
    const { current } = this;
    const [authorization, csrf] = [headers.get('Set-Token'), headers.get('X-CSRF-Token')];
    if (csrf === null) return false;
    const until = Number(headers.get('X-CSRF-Expiration'));
    if (authorization !== null) this.#keep({ authorization, csrf, until, since: Date.now() });
    else if (current !== undefined && until >= current.until) this.#keep({ ...current, csrf, until });
    return authorization !== null || (current !== undefined && until > current.until);
  }

  /** Stores the tokens of another tab if they expire later or began later. */
  adopt(other: StoredTokens): void {
    const { current } = this;
    const isNewer =
      current === undefined ||
      (other.authorization === current.authorization
        ? other.until > current.until
        : other.since > current.since ||
          (other.since === current.since && other.authorization > current.authorization));
    if (isNewer) this.#keep(other);
  }

  forget(): void {
    this.#storage.removeItem(TOKENS_KEY);
  }

  #keep(current: StoredTokens): void {
    this.#storage.setItem(TOKENS_KEY, JSON.stringify(current));
  }
}
