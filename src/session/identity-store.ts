/** Stores the identities of users at a provider (contract section 27). */
import { Store } from '../db/prepared.ts';

/** A person as a provider names it. */
export interface Identity {
  readonly issuer: string;
  readonly sub: string;
}

export class IdentityStore extends Store {
  /** Returns the documento of the user to whom an identity is bound. */
  readonly findOwner = this.value<[issuer: string, sub: string], string>(
    'SELECT documento FROM identity WHERE issuer = ? AND sub = ?',
  );
  readonly listOf = this.many<[documento: string], Identity>(
    'SELECT issuer, sub FROM identity WHERE documento = ? ORDER BY issuer, sub',
  );
  readonly put = this.runs(
    'INSERT INTO identity (issuer, sub, documento) VALUES (?, ?, ?)',
    ({ issuer, sub }: Identity, documento: string) => [issuer, sub, documento],
  );
  readonly #delete = this.changes<[issuer: string, sub: string, documento: string]>(
    'DELETE FROM identity WHERE issuer = ? AND sub = ? AND documento = ?',
  );

  /** Returns false when the identity is not bound to that user. */
  remove({ issuer, sub }: Identity, documento: string): boolean {
    return this.#delete(issuer, sub, documento) > 0;
  }
}
