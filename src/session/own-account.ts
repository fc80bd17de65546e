/** Manages the account of the signed-in person: address and notices (contract section 27). */
import { type Actor, membersChanged } from '../change.ts';
import { type ChangeAccounts } from './account-changes.ts';
import { emailOfAnother } from './account-refusals.ts';
import { notFound } from '../errors.ts';
import type { Caller, User } from './model.ts';
import { type NoticeChoices, choicesIn } from './notices/model.ts';
import type { OwnAccountStore } from './own-account-store.ts';
import type { SessionStore } from './store.ts';

export interface OwnAccountChange {
  /** `null`: removes the address. Absent: keeps it. */
  readonly email?: string | null;
  /** Choices that are not named stay. */
  readonly avisos?: Partial<NoticeChoices>;
}

export interface OwnAccountState {
  readonly email: string | null;
  readonly avisos: NoticeChoices;
}

export class OwnAccount {
  readonly #change: ChangeAccounts;
  readonly #store: SessionStore;
  readonly #choices: OwnAccountStore;

  constructor(change: ChangeAccounts, store: SessionStore, choices: OwnAccountStore) {
    this.#change = change;
    this.#store = store;
    this.#choices = choices;
  }

  /** Throws 404 for a user who was removed meanwhile. */
  get({ documento }: Pick<Caller, 'documento'>): OwnAccountState {
    return { email: this.#userOf(documento).email, avisos: this.#choicesOf(documento) };
  }

  /** Throws 422 for the address of another user. */
  change(
    by: Exclude<Actor, string>,
    { email: requestedEmail, avisos = {} }: OwnAccountChange,
  ): Promise<OwnAccountState> {
    const { documento } = by;
    return this.#change(by, (record) => {
      const user = this.#userOf(documento);
      const email = requestedEmail === undefined ? user.email : requestedEmail;
      const owner = email === null ? undefined : this.#store.findByEmail(email);
      if (email !== null && owner !== undefined && owner !== documento)
        throw emailOfAnother(email, 'de outra pessoa');
      const before = this.#choicesOf(documento);
      const after = { ...before, ...avisos };
      if (email !== user.email) this.#store.putUser({ ...user, email });
      this.#choices.putChoices(documento, JSON.stringify(after));
      const members = membersChanged({ email: user.email, ...before }, { email, ...after });
      record('change', 'usuario', documento, members);
      return { email, avisos: after };
    });
  }

  #userOf(documento: string): User {
    const user = this.#store.findUser(documento);
    if (user === undefined) throw notFound(`Não existe usuário com o documento ${documento}.`);
    return user;
  }

  #choicesOf(documento: string): NoticeChoices {
    return choicesIn(this.#choices.findChoices(documento) ?? '{}');
  }
}
