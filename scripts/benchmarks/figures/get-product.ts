/** GET of a version, beside a bare server that selects one stored text by key. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from '../data.ts';
import { compareRequests } from '../duel.ts';
import type { Bench, Figure, Measurement } from '../figure.ts';
import { startBaseline, startCatp } from '../programs.ts';

const REACH = 0.6;
const CONNECTIONS = 64;
const PRODUCTS = 2000;
/** Spreads the looked-up products over the catalogue. */
const STRIDE = 37;

export const getProduct: Figure = {
  name: 'getProduct',
  about: 'consulta de uma versão de um produto',
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  const data = await dataFolder(bench, 'hundredThousand');
  const paths = Array.from(
    { length: PRODUCTS },
    (_, index) => `/catp/api/ext/produto/12345678/${1 + ((index * STRIDE) % data.products)}/1`,
  );
  const catp = await startCatp(data.folder);
  try {
    const folder = join(bench.scratch, 'select');
    mkdirSync(folder);
    const bare = await startBaseline('select', [folder, join(data.folder, 'catp.sqlite')]);
    try {
      const requests = paths.map((path) => ({ method: 'GET' as const, path }));
      const headers = { ...(await catp.signIn('demo')) };
      const load = { headers, requests, connections: CONNECTIONS };
      const ours = { name: 'catp', pid: catp.pid, plan: { url: catp.url, ...load } };
      const theirs = { name: 'texto por chave', pid: bare.pid, plan: { url: bare.url, ...load } };
      return await compareRequests(bench, [ours, theirs], REACH);
    } finally {
      await bare.stop();
    }
  } finally {
    await catp.stop();
  }
}
