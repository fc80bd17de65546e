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

type SentSecrets = { readonly [Member in keyof Secrets]?: string | null | undefined };

export type SubscriptionService = ReturnType<typeof createSubscriptionService>;

export function createSubscriptionService({
  store,
  writer,
  secretSealer,
  backlog,
  knownEvents,
  onEnded,
  onEndpointChanged,
}: {
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
}) {
  /** Lists the user's subscriptions by id. Includes deleted ones only if requested. */
  function list(documento: string, includeDeleted: boolean): ListedSubscription[] {
    return store
      .listOf(documento, includeDeleted)
      .map((subscription) => toListed(subscription, secretSealer.open(subscription.id, subscription)));
  }

  /**
   * Lists the caller's subscriptions and audits the read. The reader may be the person who created the other
   * user's key: each secret leaves an audit entry.
   */
  async function show(caller: Caller, includeDeleted: boolean): Promise<ListedSubscription[]> {
    const listed = list(caller.documento, includeDeleted);
    const secret = listed.filter((one) => one.chaveSecreta !== null || one.chaveAutenticacao !== null);
    if (caller.isKeyOfAnother === true && secret.length > 0)
      await writer.write((tx) => {
        for (const { id } of secret) tx.record(changeOf(id, 'LEITURA', caller, NOTHING_CHANGED));
      });
    return listed;
  }

  /** Creates a subscription. Throws 422. */
  function subscribe(owner: Actor, request: SubscriptionRequest): Promise<NewSubscription> {
    const documento = nameOf(owner);
    const { evento, endpoint, chaveSecreta = null, chaveAutenticacao = null } = request;
    return writer.write((tx) => {
      refuseUnknown(evento);
      refuseDuplicate(documento, evento);
      const id = store.insert(documento, { evento, endpoint }, tx.now);
      putSecrets(id, { chaveSecreta, chaveAutenticacao });
      const members = { evento, endpoint, ...changedSecrets({ chaveSecreta, chaveAutenticacao }) };
      tx.record(changeOf(id, 'INCLUSAO', owner, membersChanged(undefined, members)));
      return { id, evento, endpoint, chaveSecreta, chaveAutenticacao };
    });
  }

  /** Changes a subscription. Throws 404, 422. */
  function change(owner: Actor, change: SubscriptionChange): Promise<ChangedSubscription> {
    const { id, evento, endpoint, ...secrets } = change;
    return writer.write((tx) => {
      const documento = nameOf(owner);
      const stored = get(id, documento);
      if (evento !== stored.evento) {
        refuseUnknown(evento);
        refuseDuplicate(documento, evento);
      }
      store.putTarget(id, { evento, endpoint });
      if (endpoint !== stored.endpoint) {
        store.forgetFailing(id);
        tx.afterCommit(onEndpointChanged);
      }
      const { before, after } = membersChanged(targetOf(stored), { evento, endpoint });
      const changed = changedSecrets(secrets, secretSealer.open(id, stored));
      putSecrets(id, secrets);
      tx.record(changeOf(id, 'ALTERACAO', owner, { before, after: { ...after, ...changed } }));
      return { id, evento, endpoint };
    });
  }

  /** Deletes a subscription. Throws 404. */
  function unsubscribe(owner: Actor, id: number): Promise<void> {
    return writer.write((tx) => {
      get(id, nameOf(owner));
      end(tx, id, MOTIVO.byUser, owner);
    });
  }

  /** Deletes a subscription, in the transaction of the reason for it. */
  function end(tx: Transaction, id: number, motivoExclusao: string, by: Actor): void {
    const target = store.findTarget(id);
    tx.record(changeOf(id, 'EXCLUSAO', by, membersChanged(target && targetOf(target), undefined)));
    store.end(id, tx.now, motivoExclusao);
    backlog.begin(tx, id);
    tx.afterCommit(() => onEnded(id));
  }

  /** Ends all subscriptions of a user who is being removed. */
  function endAllOf(tx: Transaction, documento: string, by: Actor): void {
    for (const { id } of store.listOf(documento, false)) end(tx, id, MOTIVO.userRemoved, by);
  }

  function get(id: number, documento: string) {
    const stored = store.findActive(id, documento);
    if (stored === undefined) throw notFound(`Não existe assinatura ativa ${id} deste usuário.`);
    return stored;
  }

  function putSecrets(id: number, secrets: SentSecrets): void {
    for (const member of ['chaveSecreta', 'chaveAutenticacao'] as const) {
      const secret = secrets[member];
      if (secret !== undefined)
        store.putSecret(id, member, secret === null ? null : secretSealer.seal(id, member, secret));
    }
  }

  function refuseUnknown(evento: string): void {
    const problems = knownEvents === undefined ? [] : unknownEventProblems(evento, knownEvents);
    if (problems.length > 0) throw unprocessable(problems);
  }

  /** Enforces one active subscription per event and user. */
  function refuseDuplicate(documento: string, evento: string): void {
    if (store.findActiveId(documento, evento) === undefined) return;
    // The public interface reports it at the top of the body, without details.
    throw new DomainError(
      'unprocessable',
      'Já existe uma assinatura para esse evento. Você deve usar o serviço de edição.',
      { code: NOTIFICATION_CODES.repeatedSubscription.code, field: 'evento', path: '/evento' },
    );
  }

  return { list, show, subscribe, change, unsubscribe, end, endAllOf };
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
