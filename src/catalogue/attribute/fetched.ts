/** Decides what happens to a fetched attribute table (contract section 19). */
import type { Actor } from '../../change.ts';
import type { Clock } from '../../clock.ts';
import type { Writer } from '../../db/writer.ts';
import { readText } from '../../reading/stream.ts';
import type { Reads } from '../../reading/pool.ts';
import { SYSTEM } from '../../session/model.ts';
import { dayOf } from '../../validation/calendar.ts';
import { withCount } from '../../validation/text.ts';
import type { ActivationStore } from './activation/activation-store.ts';
import type { AttributeTables } from './activation/in-force.ts';
import type { FetchResult } from './origin/model.ts';
import type { AttributeService } from './service.ts';
import type { TableLoader } from './table/loader.ts';
import { type TableLoss, type TableLossRead, holdReason } from './table/loss.ts';
import type { AttributeTableStore, StoredTable } from './table/store.ts';

const QUOTA_OWNER = { user: SYSTEM };

export function createFetchedTables({
  store,
  activations,
  inForce,
  loader,
  service,
  reads,
  writer,
  clock,
  maxBytes,
  activates,
}: {
  readonly store: AttributeTableStore;
  readonly activations: ActivationStore;
  readonly inForce: AttributeTables;
  readonly loader: TableLoader;
  readonly service: AttributeService;
  readonly reads: Reads<TableLossRead>;
  readonly writer: Writer;
  readonly clock: Clock;
  /** Limit of the JSON of a fetched table, in bytes. */
  readonly maxBytes: number;
  /** Setting `atributos.ativar`. */
  readonly activates: 'conferir' | 'sozinha';
}) {
  /** Loads the table, and puts it in force if the setting says so and no check forbids it. Throws 422. */
  async function process(file: Uint8Array, by: Actor): Promise<FetchResult> {
    const newest = store.list().at(-1)?.id ?? 0;
    const table = await loader.load(file, { maxBytes, by, isFetched: true });
    const outcome = table.id > newest ? 'new' : 'same';
    const result = { outcome, asks: 'nothing', tableId: table.id } as const;
    const name = `A tabela ${table.versao}`;
    if (inForce.inForceToday()?.tableId === table.id)
      return { ...result, message: `${name} foi buscada; é a que está em vigor.` };
    // This table was activated or scheduled before: a person has already decided about it.
    if (activations.wasEverActivated(table.id))
      return { ...result, message: `${name} foi buscada; alguém já decidiu quando ela entra em vigor.` };
    const reason = await storeHoldReason(table);
    if (reason !== undefined) {
      const message = `${name} foi buscada e retida: ${reason}. Confira o que ela muda; uma pessoa ainda pode pô-la em vigor.`;
      return { ...result, outcome: 'keptBack', asks: 'attention', message };
    }
    if (activates === 'sozinha' && !(await service.mustBeConfirmed(table.id, QUOTA_OWNER)))
      return { ...result, message: await activate(table) };
    return { ...result, asks: 'activation', message: await requestActivation(table) };
  }

  /** Stores why the table is not put in force automatically. `undefined`: no check forbids it. */
  async function storeHoldReason({ id }: StoredTable): Promise<string | undefined> {
    const current = inForce.inForceToday();
    const loss =
      current &&
      (JSON.parse(
        await readText(reads.read({ kind: 'tableLoss', fromId: current.tableId, toId: id }, QUOTA_OWNER)),
      ) as TableLoss); // written by our Worker
    const reason = loss && holdReason(loss);
    await writer.write(() => store.putHoldReason(id, reason ?? null));
    return reason;
  }

  /** Puts the table in force. Returns the message with the number of deactivated products. */
  async function activate({ id, versao }: StoredTable): Promise<string> {
    const { deactivated } = await service.activate(id, undefined, SYSTEM, QUOTA_OWNER);
    const products = withCount(deactivated, 'produto desativado', 'produtos desativados');
    return `A tabela ${versao} foi buscada e está em vigor: ${products}.`;
  }

  /** Returns the message that asks a person to put the table in force, with its impact. */
  async function requestActivation({ id, versao }: StoredTable): Promise<string> {
    const total = Number(await readText(service.impact(id, 'total', QUOTA_OWNER, dayOf(clock.now()))));
    const [singular, plural] = [
      'produto ativo deixaria de ser válido',
      'produtos ativos deixariam de ser válidos',
    ];
    return `A tabela ${versao} foi buscada e espera que alguém a ponha em vigor: ${withCount(total, singular, plural)}.`;
  }

  return { process };
}
