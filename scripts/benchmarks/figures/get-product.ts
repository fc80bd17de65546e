/** GET of a version, beside a bare server that selects one stored text by key. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from '../data.ts';
import { type Side, duel, rowOf } from '../duel.ts';
import { type Bench, type Figure, type Measurement, atLeast, measured } from '../figure.ts';
import { startBaseline, startCatp } from '../programs.ts';
import { medianRatio } from '../statistics.ts';

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
      const sides = [
        { name: 'catp', pid: catp.pid, plan: { url: catp.url, headers, requests, connections: CONNECTIONS } },
        {
          name: 'texto por chave',
          pid: bare.pid,
          plan: { url: bare.url, headers, requests, connections: CONNECTIONS },
        },
      ] as const satisfies readonly Side[];
      const [ours, theirs] = await duel(bench, sides);
      const ratio = medianRatio(
        ours.map(({ requestsPerSecond }) => requestsPerSecond),
        theirs.map(({ requestsPerSecond }) => requestsPerSecond),
      );
      return measured(atLeast(ratio, REACH), [
        rowOf(sides[0], ours, 'requests'),
        rowOf(sides[1], theirs, 'requests'),
      ]);
    } finally {
      await bare.stop();
    }
  } finally {
    await catp.stop();
  }
}
