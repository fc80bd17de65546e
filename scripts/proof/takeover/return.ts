/** The return of a replaced machine: it must not write again, at any time. */
import type { Client } from '../client.ts';
import { PRODUCTS, PRODUCT_LIST, productOf } from './load.ts';
import type { Machine } from './machine.ts';

export type Back = 'recusada' | 'só consultas';

export interface Returned {
  /** `undefined`: neither, which is a problem. */
  readonly back?: Back;
  readonly problems: readonly string[];
}

const REPLACED = 'Esta instância foi substituída';
/** It polls every second, and may wait two seconds for an answer. */
const TURNED_WITHIN_MS = 15_000;
const TURN_MS = 20;
const OK = 200;
const NOTHING_YET = 204;

/**
 * Restarts all of it, including its Litestream at its old destination, while the new one serves: its start
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
 * Restarts it before the partner answers, and without access to its replica. It must accept no write until it
 * contacts the new one, and become read-only then.
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
