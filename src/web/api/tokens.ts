/**
 * The tokens of the session, in sessionStorage: a reload keeps them, closing the tab ends them, no other tab sees them. Only
 * a script of this page could read them, and the Content-Security-Policy lets none in but ours.
 */

const KEY = 'catp.session';

interface Kept {
  readonly authorization: string;
  readonly csrf: string;
  /** Epoch milliseconds of the server's clock; of two answers the one that lasts longer is kept. */
  readonly until: number;
}

export class Tokens {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  get present(): boolean {
    return this.#read() !== undefined;
  }

  /** What every request carries. */
  headers(): Readonly<Record<string, string>> {
    const kept = this.#read();
    return kept === undefined ? {} : { Authorization: kept.authorization, 'X-CSRF-Token': kept.csrf };
  }

  /** Takes over what an answer brings: both tokens of a sign-in, a new second one of any other (contract section 2). */
  take(headers: Headers): void {
    const csrf = headers.get('X-CSRF-Token');
    const authorization = headers.get('Set-Token') ?? this.#read()?.authorization;
    if (csrf === null || authorization === undefined) return;
    const until = Number(headers.get('X-CSRF-Expiration'));
    const isNewer = headers.has('Set-Token') || until >= (this.#read()?.until ?? 0);
    if (isNewer) this.#storage.setItem(KEY, JSON.stringify({ authorization, csrf, until } satisfies Kept));
  }

  forget(): void {
    this.#storage.removeItem(KEY);
  }

  #read(): Kept | undefined {
    const kept = this.#storage.getItem(KEY);
    return kept === null ? undefined : (JSON.parse(kept) as Kept); // Only `take` writes it.
  }
}
