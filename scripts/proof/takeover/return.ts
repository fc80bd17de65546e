/** How the machine comes back whose place was taken: it must not write any more, whenever that is. */
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
/** It asks every second, and may wait two for an answer. */
const TURNED_WITHIN_MS = 15_000;
const TURN_MS = 20;
const OK = 200;
const NOTHING_YET = 204;

/** All of it, its Litestream on its old place too, while the new one serves: its start must be refused. */
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
 * It was on again before there was anybody to ask, without the way to its replica: until it hears of the new one it may take
 * nothing, and then it reads alone.
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
