/** Interprets an item of a batch or file (contract sections 4, 5 and 7). */
import type { TSchema } from '@sinclair/typebox';
import type { Day } from '../../clock.ts';
import type { Transaction } from '../../db/writer.ts';
import { unprocessable } from '../../errors.ts';
import type { Notice } from '../../validation/decoding.ts';
import { formatValue } from '../../validation/format-value.ts';
import type { Caller } from '../../session/model.ts';
import { asSchema } from '../../validation/schema.ts';
import {
  type AppliedItem,
  type ItemApplier,
  type ItemMode,
  type ItemOrigin,
  type ItemOutcome,
  type ItemReading,
  decodeItem,
  situacaoIn,
} from '../batch.ts';
import { violated } from '../codes.ts';
import { callerTransaction, type ActorTransaction } from '../actor-transaction.ts';
import { type VersionNumber, parseVersion, versionText } from '../version.ts';
import type { VersionedChanges } from './changes.ts';
import type { Key, RecordTypes, VersionedKind } from './kind.ts';
import { type VersionedMirror, mirrorNumbers } from './mirror.ts';
import type { VersionedLookUp } from './look-up.ts';
import type { Situacao } from './model.ts';
import type { Changed } from './writing.ts';

/** Members of an item that select the operation. */
export interface ItemHead<R extends RecordTypes> {
  readonly cpfCnpjRaiz: string;
  readonly codigo?: R['codigo'];
  readonly situacao?: Situacao;
  readonly versao?: string;
  readonly dataReferencia?: Day;
}

/**
 * Schemas of an item: whole, as a draft if the kind has drafts, and for a deactivation, whose content is
 * ignored.
 */
interface ItemSchemas {
  readonly Complete: TSchema;
  readonly Draft?: TSchema;
  readonly Deactivation: TSchema;
}

/** Access of items to the records of a kind. */
export interface RecordAccess<R extends RecordTypes, Item> {
  readonly kind: VersionedKind<R>;
  readonly schemas: Readonly<Record<ItemOrigin, ItemSchemas>>;
  readonly changes: VersionedChanges<R>;
  readonly lookUp: VersionedLookUp<R>;
  readonly mirror: VersionedMirror<R>;
  readonly placeOf: (item: Item) => R['place'];
  readonly toContent: (item: Item) => R['content'];
  /** Returns notices about a written record. */
  readonly noticesOf?: (cpfCnpjRaiz: string, codigo: string) => readonly Notice[];
}

export class VersionedItems<R extends RecordTypes, Item extends ItemHead<R>> implements ItemApplier {
  readonly #access: RecordAccess<R, Item>;

  constructor(access: RecordAccess<R, Item>) {
    this.#access = access;
  }

  apply(
    tx: Transaction,
    caller: Caller,
    received: unknown,
    mode: ItemMode,
    reading: ItemReading,
  ): AppliedItem {
    const item = decodeItem<Item>(
      asSchema(itemSchemaOf(this.#access.schemas[reading.origin], received, mode)),
      received,
      caller,
      reading,
    );
    const actorTx = callerTransaction(tx, caller);
    const doneOutcome = mode === 'espelho' ? this.#mirror(actorTx, item) : this.#change(actorTx, item);
    if (
      reading.note !== undefined &&
      (doneOutcome.outcome === 'created' || doneOutcome.outcome === 'newVersion')
    )
      for (const notice of this.#access.noticesOf?.(item.cpfCnpjRaiz, doneOutcome.codigo) ?? [])
        reading.note(notice);
    return doneOutcome;
  }

  #mirror(actorTx: ActorTransaction, item: Item): AppliedItem {
    const { codigo, number } = mirrorNumbers<R['codigo']>(item);
    const { situacao = 'ATIVADO', dataReferencia: startsOn } = item;
    const mirrored = { number, content: this.#access.toContent(item), situacao, startsOn };
    const result = this.#access.mirror.apply(actorTx, this.#keyOf(item, codigo), mirrored);
    return toAppliedItem(result, result.outcome);
  }

  #change(actorTx: ActorTransaction, item: Item): AppliedItem {
    const { kind, changes, placeOf, toContent } = this.#access;
    const { codigo, situacao, dataReferencia } = item;
    if (!kind.hasRetroactiveVersions) refuseReference(item);
    if (codigo === undefined) {
      if (situacao === 'DESATIVADO') throw codeRequired();
      const place = placeOf(item);
      return toAppliedItem(
        situacao === 'RASCUNHO'
          ? changes.includeDraft(actorTx, place, toContent(item))
          : changes.include(actorTx, place, toContent(item), dataReferencia, '/dataReferencia'),
        'created',
      );
    }
    const changed = this.#changeRecord(actorTx, this.#keyOf(item, codigo), item);
    const doneOutcome = situacao === 'DESATIVADO' ? 'deactivated' : 'newVersion';
    return toAppliedItem(changed, changed.isUnchanged === true ? 'unchanged' : doneOutcome);
  }

  #changeRecord(actorTx: ActorTransaction, key: Key<R>, item: Item): Changed<R> {
    const { kind, changes, lookUp, toContent } = this.#access;
    const { situacao, versao, dataReferencia } = item;
    const number = versao === undefined ? undefined : parseVersion(versao);
    if (situacao === 'DESATIVADO')
      return changes.deactivate(actorTx, key, kind.deactivatesAnyVersion ? number : undefined);
    const content = toContent(item);
    if (situacao === 'RASCUNHO') return changes.editDraft(actorTx, key, content);
    if (number === undefined || lookUp.get(key).situacao === 'RASCUNHO')
      return changes.newVersion(actorTx, key, content, dataReferencia, '/dataReferencia');
    this.#refuseOtherStart(key, number, dataReferencia);
    return changes.rectify(actorTx, key, number, content);
  }

  /** A rectification keeps the start of validity of its family. Throws 404, 422. */
  #refuseOtherStart(key: Key<R>, number: VersionNumber, dataReferencia: Day | undefined): void {
    if (dataReferencia === undefined) return;
    const { lookUp } = this.#access;
    const { startsOn } = lookUp.getVersion(key, lookUp.get(key), number);
    if (dataReferencia === startsOn) return;
    const message = `recebido ${formatValue(dataReferencia)}; a retificação mantém o início da vigência, ${startsOn}. Retire-a deste item, ou retire versao para incluir uma versão retroativa.`;
    throw unprocessable([violated('referenceNotAllowed', '/dataReferencia', message)]);
  }

  readonly #keyOf = (item: Item, codigo: R['codigo']): Key<R> => ({ ...this.#access.placeOf(item), codigo });
}

/** Returns the schema that an item's situation selects. */
export function itemSchemaOf(
  { Complete, Draft, Deactivation }: ItemSchemas,
  received: unknown,
  mode: ItemMode,
): TSchema {
  const situacao = situacaoIn(received);
  if (situacao === 'RASCUNHO') return Draft ?? Complete;
  return situacao === 'DESATIVADO' && mode === 'lote' ? Deactivation : Complete;
}

/** Without retroactive versions, a reference day is allowed only in an inclusion. */
function refuseReference({ codigo, situacao, dataReferencia }: ItemHead<RecordTypes>): void {
  if (dataReferencia === undefined) return;
  if (codigo === undefined && (situacao === undefined || situacao === 'ATIVADO')) return;
  const message = 'só é aceita na inclusão de um produto ativo; retire-a deste item.';
  throw unprocessable([violated('referenceNotAllowed', '/dataReferencia', message)]);
}

function codeRequired() {
  const message = 'obrigatório para desativar; informe o código do registro.';
  return unprocessable([violated('codeRequired', '/codigo', message)]);
}

const toAppliedItem = <R extends RecordTypes>(
  { key, version }: Changed<R>,
  outcome: ItemOutcome,
): AppliedItem => ({
  codigo: String(key.codigo),
  versao: versionText(version),
  outcome,
});
