/** Reads the people who want a kind of notice at once, and the queued message that further notices may join. */
import type { EpochMs } from '../clock.ts';
import { Store } from '../db/prepared.ts';
import { type Right, includesRight } from '../right.ts';
import { CATALOGUE_PROFILE } from '../session/model.ts';
import type { Notice } from '../session/notices/model.ts';
import type { StoredEmail } from './store.ts';

export interface NoticeRecipient {
  readonly documento: string;
  readonly email: string;
}

const WANTS_AT_ONCE = `user.tipo = 'PRIV' AND user.email IS NOT NULL AND json_extract(user.avisos, '$.' || ?) = 'imediato'`;

export class NoticeStore extends Store {
  readonly #listOfCompany = this.many<
    [cpfCnpjRaiz: string, kind: Notice],
    NoticeRecipient & { readonly papel: Right }
  >(
    `SELECT documento, email, papel FROM (
       SELECT documento, cpf_cnpj_raiz, papel FROM representation WHERE perfil = '${CATALOGUE_PROFILE}'
       UNION ALL SELECT documento, cpf_cnpj_raiz, papel FROM group_right JOIN access_group ON access_group.id = group_id
     ) JOIN user USING (documento) WHERE cpf_cnpj_raiz = ? AND ${WANTS_AT_ONCE} ORDER BY documento`,
  );
  /** Lists those who want a kind of notice about a company and have a right over it, each once. */
  listOfCompany(cpfCnpjRaiz: string, kind: Notice, right: Right): readonly NoticeRecipient[] {
    const entitled = this.#listOfCompany(cpfCnpjRaiz, kind).filter(({ papel }) =>
      includesRight(papel, right),
    );
    return [...new Map(entitled.map((one) => [one.documento, one])).values()];
  }

  readonly listOfPerson = this.many<[documento: string, kind: Notice], NoticeRecipient>(
    `SELECT documento, email FROM user WHERE documento = ? AND ${WANTS_AT_ONCE}`,
  );
  /** Returns a queued message to a person that is not due yet. */
  readonly findOpen = this.one<[documento: string, kind: Notice, now: EpochMs], StoredEmail>(
    `SELECT id, key, recipient, content, attempts, first_attempt_at AS firstAttemptAt FROM email
     WHERE documento = ? AND notice = ? AND state = 'pending' AND attempts = 0 AND due_at > ? LIMIT 1`,
  );
  readonly companyName = this.value<[cpfCnpjRaiz: string], string>(
    'SELECT nome FROM company WHERE cpf_cnpj_raiz = ?',
  );
}
