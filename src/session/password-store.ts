/** Stores passwords and invitations, both as hashes only (contract section 27). */
import type { EpochMs } from '../clock.ts';
import { Store } from '../db/prepared.ts';

export interface StoredInvitation {
  readonly documento: string;
  /** The moment at which it expires. */
  readonly until: EpochMs;
}

/** The last change of a password, which ended the other sessions of that person. */
export interface PasswordChange {
  readonly setAt: EpochMs;
  /** The session that changed it, which continues. `null`: an invitation set it. */
  readonly setIn: string | null;
}

export class PasswordStore extends Store {
  readonly findHash = this.value<[documento: string], string>(
    'SELECT hash FROM password WHERE documento = ?',
  );
  readonly findChange = this.one<[documento: string], PasswordChange>(
    'SELECT set_at AS setAt, set_in AS setIn FROM password WHERE documento = ?',
  );
  /** Returns true when anybody has a password. */
  readonly hasAny = this.exists<[]>('SELECT 1 FROM password LIMIT 1');
  /**
   * Stores a password. `set_at` is later than the time of the former password and than the last end of all
   * sessions, also after the clock was set back: `Authentication` opens sessions directly after these times.
   */
  readonly put = this.runs(
    `INSERT INTO password (documento, hash, set_at, set_in)
     VALUES (?, ?, max(?, coalesce((SELECT ended_at + 1 FROM ended_session WHERE subject = ?), 0)), ?)
     ON CONFLICT (documento) DO UPDATE SET hash = excluded.hash, set_in = excluded.set_in,
       set_at = max(excluded.set_at, set_at + 1)`,
    (documento: string, hash: string, setAt: EpochMs, setIn: string | null) => [
      documento,
      hash,
      setAt,
      documento,
      setIn,
    ],
  );
  readonly findInvitation = this.one<[tokenHash: string], StoredInvitation>(
    'SELECT documento, until FROM invitation WHERE token_hash = ?',
  );
  /** Returns the moment at which the invitation of a person ends. */
  readonly findEnd = this.value<[documento: string], EpochMs>(
    'SELECT until FROM invitation WHERE documento = ?',
  );
  readonly putInvitation = this.runs<[documento: string, tokenHash: string, until: EpochMs]>(
    `INSERT INTO invitation (documento, token_hash, until) VALUES (?, ?, ?)
     ON CONFLICT (documento) DO UPDATE SET token_hash = excluded.token_hash, until = excluded.until`,
  );
  readonly removeInvitation = this.runs<[documento: string]>('DELETE FROM invitation WHERE documento = ?');
}
