/** The return of a replaced machine: it must not write again, at any time. */
import type { Client } from '../client.ts';
import { PRODUCTS, PRODUCT_LIST, productOf } from './load.ts';
import type { Machine } from './machine.ts';

export type Back = 'recusada' | 'só consultas';

export interface Returned {
  /** `undefined`: the machine was not refused and did not become read-only, which is a problem. */
  readonly back?: Back;
  readonly problems: readonly string[];
}

const REPLACED = 'Esta instância foi substituída';
/** Time limit for becoming read-only: the machine polls every second, and may wait 2 s for an answer. */
const TURNED_WITHIN_MS = 15_000;
const TURN_MS = 20;
const OK = 200;
const NOTHING_YET = 204;

/**
 * Restarts the old machine, with its Litestream at the old destination, while the new one serves. The start
 * must be refused.
 */
export async function returnLate(old: Machine, client: Client): Promise<Returned> {
  old.replicate();
  const server = old.serve();
  const code = await Promise.race([server.exited, server.ready.then(() => undefined)]).catch(
    () => server.exited,
  );
  if (code === 1 && server.output().includes(REPLACED)) return { back: 'recusada', problems: [] };
  if (code !== undefined)
    return { problems: [`${old.name} terminou com ${code} ao voltar: ${server.output().slice(-500)}`] };
  const answer = await client.call('POST', PRODUCTS, productOf('De volta'));
  return { problems: [`${old.name} voltou e serve; a uma gravação respondeu ${answer?.status ?? 'nada'}`] };
}

/**
 * Restarts the old machine before the partner answers, and without access to its replica. It must accept no
 * write until it reaches the new machine, and then become read-only.
 */
export async function returnEarly(old: Machine, client: Client): Promise<Returned> {
  const problems: string[] = [];
  const deadline = performance.now() + TURNED_WITHIN_MS;
  for (;;) {
    const answer = await client.call('POST', PRODUCTS, productOf('De volta'));
    if (answer?.status === OK) problems.push(`${old.name} confirmou uma gravação depois de substituída`);
    if (answer?.text.includes(REPLACED)) break;
    if (performance.now() > deadline)
      return { problems: [...problems, `${old.name} não passou a só consultas: ${answer?.text ?? ''}`] };
    await Bun.sleep(TURN_MS);
  }
  const list = await client.call('GET', PRODUCT_LIST);
  if (list?.status !== OK && list?.status !== NOTHING_YET)
    problems.push(`${old.name} não atende consultas: ${list?.status ?? 'nada'}`);
  return { back: 'só consultas', problems };
}
