/** Five combined filters, on a large catalogue and on a small one with the same number of matches. */
import { dataFolder } from '../data.ts';
import { type Side, duel, rowOf } from '../duel.ts';
import { type Bench, type Figure, type Measurement, atMost, measured } from '../figure.ts';
import { type Catp, startCatp } from '../programs.ts';
import { SHARED_PER_NCM } from '../products.ts';
import { fiveFilters } from '../traffic.ts';
import type { LoadRequest } from '../wrk.ts';
import { medianRatio } from '../statistics.ts';

const REACH = 1.5;
const CONNECTIONS = 4;

export const filterProducts: Figure = {
  name: 'filterProducts',
  about: 'cinco filtros juntos em um catálogo grande e em um pequeno',
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  const [large, small] = [await dataFolder(bench, 'million'), await dataFolder(bench, 'tenThousand')];
  const [ofLarge, ofSmall] = await Promise.all([startCatp(large.folder), startCatp(small.folder)]);
  try {
    const sides = [
      { name: `${large.products} produtos`, pid: ofLarge.pid, plan: await planOf(ofLarge) },
      { name: `${small.products} produtos`, pid: ofSmall.pid, plan: await planOf(ofSmall) },
    ] as const satisfies readonly Side[];
    await requireSameSize(sides[0].plan, sides[1].plan);
    const [ours, theirs] = await duel(bench, sides);
    const ratio = medianRatio(
      ours.map(({ p95Ms }) => p95Ms),
      theirs.map(({ p95Ms }) => p95Ms),
    );
    return measured(atMost(ratio, REACH), [rowOf(sides[0], ours, 'p95'), rowOf(sides[1], theirs, 'p95')]);
  } finally {
    await Promise.all([ofLarge.stop(), ofSmall.stop()]);
  }
}

type Plan = Side['plan'];

async function planOf(catp: Catp): Promise<Plan> {
  const requests = fiveFilters();
  return { url: catp.url, headers: { ...(await catp.signIn('demo')) }, requests, connections: CONNECTIONS };
}

async function requireSameSize(a: Plan, b: Plan): Promise<void> {
  const size = async ({ url, headers, requests }: Plan): Promise<number> => {
    const answer = await fetch(url + (requests[1] as LoadRequest).path, { headers });
    return answer.status === 204 ? 0 : ((await answer.json()) as unknown[]).length;
  };
  const sizes = await Promise.all([size(a), size(b)]);
  if (sizes[0] !== sizes[1] || sizes[0] === 0)
    throw new Error(
      `The filters give ${sizes.join(' and ')} products, ${SHARED_PER_NCM} were expected of both.`,
    );
}
