/** Binds identities of a provider to users (contract section 27). */
import { type Actor, membersChanged } from '../change.ts';
import { notFound } from '../errors.ts';
import { formatValue } from '../validation/format-value.ts';
import { type ChangeAccounts } from './account-changes.ts';
import { identityOfAnother, noUser } from './account-refusals.ts';
import type { Identity, IdentityStore } from './identity-store.ts';
import type { User } from './model.ts';
import { providerSessionsOf } from './registry.ts';
import type { SessionStore } from './store.ts';
import { SESSION_LIFETIME_MS } from './tokens.ts';

export class Identities {
  readonly #store: Pick<SessionStore, 'findUser' | 'putEnd'>;
  readonly #identities: IdentityStore;
  readonly #change: ChangeAccounts;

  constructor(
    store: Pick<SessionStore, 'findUser' | 'putEnd'>,
    identities: IdentityStore,
    change: ChangeAccounts,
  ) {
    this.#store = store;
    this.#identities = identities;
    this.#change = change;
  }

  /** Returns the user to whom an identity is bound. */
  userOf(issuer: string, sub: string): User | undefined {
    const documento = this.#identities.findOwner(issuer, sub);
    return documento === undefined ? undefined : this.#store.findUser(documento);
  }

  /** Throws 404. */
  list(documento: string): readonly Identity[] {
    this.#requireUser(documento);
    return this.#identities.listOf(documento);
  }

  /** Binds an identity; one that the user already has is left as it is. Throws 404, 422. */
  bind(documento: string, { issuer, sub }: Identity, by: Actor): Promise<Identity> {
    const identity = { issuer, sub };
    return this.#change(by, (record) => {
      this.#requireUser(documento);
      const owner = this.#identities.findOwner(issuer, sub);
      if (owner === documento) return identity;
      if (owner !== undefined) throw identityOfAnother(sub, owner);
      this.#identities.put(identity, documento);
      record('include', 'identidade', documento, membersChanged(undefined, identity));
      return identity;
    });
  }

  /** Unbinds an identity. The sessions that the provider opened for the user end. Throws 404. */
  unbind(documento: string, { issuer, sub }: Identity, by: Actor): Promise<void> {
    const identity = { issuer, sub };
    return this.#change(by, (record, { now }) => {
      this.#requireUser(documento);
      if (!this.#identities.remove(identity, documento))
        throw notFound(
          `O usuário ${documento} não tem a identidade ${formatValue(sub)} do emissor ${formatValue(issuer)}.`,
        );
      this.#store.putEnd(providerSessionsOf(documento), now, now - SESSION_LIFETIME_MS);
      record('remove', 'identidade', documento, membersChanged(identity, undefined));
    });
  }

  #requireUser(documento: string): void {
    if (this.#store.findUser(documento) === undefined) throw noUser(documento);
  }
}
