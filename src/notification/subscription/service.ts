/**
 * Subscriptions (contract section 9): each belongs to the user who created it. No other user sees or changes
 * it.
 */
import {
  type Actor,
  CHANGED_SECRET,
  type Change,
  type ChangeAction,
  type Members,
  type MembersChanged,
  membersChanged,
  nameOf,
} from '../../change.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { DomainError, type Problem, near, notFound, unprocessable, withLabel } from '../../errors.ts';
import { formatValue } from '../../validation/format-value.ts';
import type { Caller } from '../../session/model.ts';
import { nearest } from '../../validation/text.ts';
import { NOTIFICATION_CODES } from '../codes.ts';
import type { PendingCancellation } from './backlog.ts';
import {
  type ChangedSubscription,
  type ListedSubscription,
  MOTIVO,
  type NewSubscription,
  type Secrets,
  type Target,
  toListed,
} from './model.ts';
import type { SubscriptionChange, SubscriptionRequest } from './request.ts';
import type { SubscriptionStore } from './store.ts';
import type { SecretSealer } from './secret-sealer.ts';

export interface SubscriptionServiceParts {
  readonly store: SubscriptionStore;
  readonly writer: Writer;
  readonly secretSealer: SecretSealer;
  readonly backlog: PendingCancellation;
  /** The events that may be subscribed, if unknown ones are refused (`assinatura.recusarDesconhecido`). */
  readonly knownEvents: readonly string[] | undefined;
  /** Called after the commit that deleted a subscription: no request may be sent for it any more. */
  readonly onEnded: (subscriptionId: number) => void;
  /** Called after a commit that changed the endpoint of a subscription. */
  readonly onEndpointChanged: () => void;
}

type SentSecrets = { readonly [Member in keyof Secrets]?: string | null | undefined };

export class SubscriptionService {
  readonly #parts: SubscriptionServiceParts;

  constructor(parts: SubscriptionServiceParts) {
    this.#parts = parts;
  }

  /** Lists the user's subscriptions by id. Includes deleted ones only if requested. */
  list(documento: string, includeDeleted: boolean): ListedSubscription[] {
    const { store, secretSealer } = this.#parts;
    return store
      .listOf(documento, includeDeleted)
      .map((subscription) => toListed(subscription, secretSealer.open(subscription.id, subscription)));
  }

  /**
   * Lists the caller's subscriptions and audits the read. The reader may be the person who created the other
   * user's key: each secret leaves an audit entry.
   */
  async show(caller: Caller, includeDeleted: boolean): Promise<ListedSubscription[]> {
    const listed = this.list(caller.documento, includeDeleted);
    const secret = listed.filter((one) => one.chaveSecreta !== null || one.chaveAutenticacao !== null);
    if (caller.isKeyOfAnother === true && secret.length > 0)
      await this.#parts.writer.write((tx) => {
        for (const { id } of secret) tx.record(changeOf(id, 'LEITURA', caller, NOTHING_CHANGED));
      });
    return listed;
  }

  /** Creates a subscription. Throws 422. */
  subscribe(owner: Actor, request: SubscriptionRequest): Promise<NewSubscription> {
    const documento = nameOf(owner);
    const { evento, endpoint, chaveSecreta = null, chaveAutenticacao = null } = request;
    return this.#parts.writer.write((tx) => {
      this.#refuseUnknown(evento);
      this.#refuseDuplicate(documento, evento);
      const id = this.#parts.store.insert(documento, { evento, endpoint }, tx.now);
      this.#putSecrets(id, { chaveSecreta, chaveAutenticacao });
      const members = { evento, endpoint, ...changedSecrets({ chaveSecreta, chaveAutenticacao }) };
      tx.record(changeOf(id, 'INCLUSAO', owner, membersChanged(undefined, members)));
      return { id, evento, endpoint, chaveSecreta, chaveAutenticacao };
    });
  }

  /** Changes a subscription. Throws 404, 422. */
  change(owner: Actor, change: SubscriptionChange): Promise<ChangedSubscription> {
    const { id, evento, endpoint, ...secrets } = change;
    const { store, writer } = this.#parts;
    return writer.write((tx) => {
      const documento = nameOf(owner);
      const stored = this.#get(id, documento);
      if (evento !== stored.evento) {
        this.#refuseUnknown(evento);
        this.#refuseDuplicate(documento, evento);
      }
      store.putTarget(id, { evento, endpoint });
      if (endpoint !== stored.endpoint) {
        store.forgetFailing(id);
        tx.afterCommit(this.#parts.onEndpointChanged);
      }
      const { before, after } = membersChanged(targetOf(stored), { evento, endpoint });
      const changed = changedSecrets(secrets, this.#parts.secretSealer.open(id, stored));
      this.#putSecrets(id, secrets);
      tx.record(changeOf(id, 'ALTERACAO', owner, { before, after: { ...after, ...changed } }));
      return { id, evento, endpoint };
    });
  }

  /** Deletes a subscription. Throws 404. */
  unsubscribe(owner: Actor, id: number): Promise<void> {
    return this.#parts.writer.write((tx) => {
      this.#get(id, nameOf(owner));
      this.end(tx, id, MOTIVO.byUser, owner);
    });
  }

  /** Deletes a subscription, in the transaction of the reason for it. */
  end(tx: Transaction, id: number, motivoExclusao: string, by: Actor): void {
    const target = this.#parts.store.findTarget(id);
    tx.record(changeOf(id, 'EXCLUSAO', by, membersChanged(target && targetOf(target), undefined)));
    this.#parts.store.end(id, tx.now, motivoExclusao);
    this.#parts.backlog.begin(tx, id);
    tx.afterCommit(() => this.#parts.onEnded(id));
  }

  /** Ends all subscriptions of a user who is being removed. */
  endAllOf(tx: Transaction, documento: string, by: Actor): void {
    for (const { id } of this.#parts.store.listOf(documento, false)) this.end(tx, id, MOTIVO.userRemoved, by);
  }

  #get(id: number, documento: string) {
    const stored = this.#parts.store.findActive(id, documento);
    if (stored === undefined) throw notFound(`Não existe assinatura ativa ${id} deste usuário.`);
    return stored;
  }

  #putSecrets(id: number, secrets: SentSecrets): void {
    const { store, secretSealer } = this.#parts;
    for (const member of ['chaveSecreta', 'chaveAutenticacao'] as const) {
      const secret = secrets[member];
      if (secret !== undefined)
        store.putSecret(id, member, secret === null ? null : secretSealer.seal(id, member, secret));
    }
  }

  #refuseUnknown(evento: string): void {
    const { knownEvents } = this.#parts;
    const problems = knownEvents === undefined ? [] : unknownEventProblems(evento, knownEvents);
    if (problems.length > 0) throw unprocessable(problems);
  }

  /** Enforces one active subscription per event and user. */
  #refuseDuplicate(documento: string, evento: string): void {
    if (this.#parts.store.findActiveId(documento, evento) === undefined) return;
    // The public interface reports it at the top of the body, without details.
    throw new DomainError(
      'unprocessable',
      'Já existe uma assinatura para esse evento. Você deve usar o serviço de edição.',
      { code: NOTIFICATION_CODES.repeatedSubscription.code, field: 'evento', path: '/evento' },
    );
  }
}

export function unknownEventProblems(evento: string, knownEvents: readonly string[]): Problem[] {
  if (knownEvents.includes(evento)) return [];
  const hint = nearest(evento, knownEvents);
  const advice =
    hint === undefined ? 'A lista está em /appliance/api/event-types.' : `Você quis dizer '${hint}'?`;
  const sentence = `recebido ${formatValue(evento)}, que não é um evento conhecido. ${advice}`;
  const { code } = NOTIFICATION_CODES.unknownEvent;
  return [{ code, ...withLabel('evento', sentence), field: 'evento', path: '/evento', ...near(hint) }];
}

const NOTHING_CHANGED: MembersChanged = { before: null, after: null };

const changeOf = (id: number, action: ChangeAction, by: Actor, members: MembersChanged): Change => ({
  by,
  action,
  kind: 'assinatura',
  key: String(id),
  ...members,
});

const targetOf = ({ evento, endpoint }: Target): Target => ({ evento, endpoint });

/** Returns the sent secrets that differ from the previous ones: that they changed, never their values. */
function changedSecrets(sent: SentSecrets, before?: Secrets): Members {
  const members = (['chaveSecreta', 'chaveAutenticacao'] as const).flatMap((member) => {
    const secret = sent[member];
    if (secret === undefined || secret === (before?.[member] ?? null)) return [];
    return [[member, secret === null ? null : CHANGED_SECRET]] as const;
  });
  return Object.fromEntries(members);
}
