/**
 * The list of a whole catalogue in bytes per second, compared with a bare handler that concatenates the same
 * rows.
 */
import { join } from 'node:path';
import { dataFolder } from '../data.ts';
import { type Side, duel, rowOf } from '../duel.ts';
import { type Bench, type Figure, type Measurement, atLeast, measured } from '../figure.ts';
import { startBaseline, startCatp } from '../programs.ts';
import { medianRatio } from '../statistics.ts';

const REACH = 0.5;

export const listProducts: Figure = { name: 'listProducts', about: 'lista de um catálogo inteiro', measure };

async function measure(bench: Bench): Promise<Measurement> {
  const data = await dataFolder(bench, 'hundredThousand');
  const [catp, bare] = await Promise.all([
    startCatp(data.folder),
    startBaseline('list', [join(data.folder, 'catp.sqlite')]),
  ]);
  try {
    const requests = [{ method: 'GET' as const, path: '/catp/api/ext/produto?cpfCnpjRaiz=12345678' }];
    const headers = { ...(await catp.signIn('demo')) };
    const sides = [
      { name: 'catp', pid: catp.pid, plan: { url: catp.url, headers, requests, connections: 1 } },
      { name: 'concatenação', pid: bare.pid, plan: { url: bare.url, headers, requests, connections: 1 } },
    ] as const satisfies readonly Side[];
    const [ours, theirs] = await duel(bench, sides);
    const ratio = medianRatio(
      ours.map(({ bytesPerSecond }) => bytesPerSecond),
      theirs.map(({ bytesPerSecond }) => bytesPerSecond),
    );
    return measured(
      atLeast(ratio, REACH),
      [rowOf(sides[0], ours, 'bytes'), rowOf(sides[1], theirs, 'bytes')],
      {
        notes: [`${data.products} produtos em cada lista`],
      },
    );
  } finally {
    await Promise.all([catp.stop(), bare.stop()]);
  }
}
