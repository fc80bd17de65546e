/**
 * GET of random versions of products while a tenth of the requests write, compared with a bare server that
 * selects one stored text by key under the same writes.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { copiedFolder } from '../data.ts';
import { compareRequests } from '../duel.ts';
import type { Bench, Figure, Measurement } from '../figure.ts';
import { startBaseline, startCatp } from '../programs.ts';
import { readsAmongWrites } from '../traffic.ts';

const REACH = 0.6;
const CONNECTIONS = 64;

export const getProduct: Figure = {
  name: 'getProduct',
  about: 'consulta de versões ao acaso, com uma gravação em cada dez requisições',
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  const { folder: copy, products } = await copiedFolder(bench, 'hundredThousand');
  const folder = join(bench.scratch, 'select');
  mkdirSync(folder);
  const bare = await startBaseline('select', [folder, join(copy, 'catp.sqlite')]);
  try {
    const catp = await startCatp(copy);
    try {
      const headers = { ...(await catp.signIn('demo')), 'Content-Type': 'application/json' };
      const load = { headers, requests: readsAmongWrites(products), connections: CONNECTIONS };
      const ours = { name: 'catp', pid: catp.pid, plan: { url: catp.url, ...load } };
      const theirs = { name: 'texto por chave', pid: bare.pid, plan: { url: bare.url, ...load } };
      return await compareRequests(bench, [ours, theirs], REACH);
    } finally {
      await catp.stop();
    }
  } finally {
    await bare.stop();
    for (const used of [copy, folder]) rmSync(used, { recursive: true });
  }
}
