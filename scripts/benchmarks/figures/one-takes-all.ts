/**
 * The effect on another company of one user who is at every limit: unread lists, stopped bodies, waiting
 * requests.
 */
import { rmSync } from 'node:fs';
import { copiedFolder } from '../data.ts';
import { type Bench, type Figure, type Measurement, atMost, measured } from '../figure.ts';
import { type Catp, type Program, startBaseline, startCatp } from '../programs.ts';
import { median } from '../statistics.ts';
import { productContent } from '../products.ts';
import { type LoadPlan, type LoadReport, type LoadRequest, runWrk } from '../wrk.ts';

const REACH = 3;
const CONNECTIONS = 4;
const COMPANY = '11222333';
const PATH = '/catp/api/ext/produto';
/** The number of look-ups equals that of the other requests. */
const PRODUCTS = 50;

export const oneTakesAll: Figure = {
  name: 'oneTakesAll',
  about: 'p99 de outra empresa enquanto um usuário está em todos os limites',
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  const data = await copiedFolder(bench, 'fourHundredThousand');
  const catp = await startCatp(data.folder);
  try {
    const plan = await otherCompany(catp, bench.seconds);
    const load = (): Promise<LoadReport> => runWrk(bench.scratch, plan);
    await load();
    const [ratios, alone, meanwhile]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < bench.rounds; round += 1) {
      const before = (await load()).p99Ms;
      const greedy = await startBaseline('greedy', [
        new URL(catp.url).port,
        JSON.stringify(await catp.signIn('demo')),
      ]);
      const during = await whileHeTakes(greedy, load);
      const idle = (before + (await load()).p99Ms) / 2;
      alone.push(idle);
      meanwhile.push(during);
      ratios.push(during / idle);
      bench.say(`  p99 sem ${idle.toFixed(2)} ms, durante ${during.toFixed(2)} ms`);
    }
    return measured(atMost(median(ratios), REACH), [
      { side: 'enquanto ele toma tudo', unit: 'ms p99', samples: meanwhile },
      { side: 'sem ele', unit: 'ms p99', samples: alone },
    ]);
  } finally {
    await catp.stop();
    rmSync(data.folder, { recursive: true });
  }
}

async function whileHeTakes(greedy: Program, load: () => Promise<LoadReport>): Promise<number> {
  try {
    return (await load()).p99Ms;
  } finally {
    await greedy.stop();
  }
}

/** Runs look-ups, lists and inclusions of a small catalogue; any refusal ends the bench. */
export async function otherCompany(catp: Catp, seconds: number): Promise<LoadPlan> {
  const headers = { ...(await catp.signIn('estranho')) };
  const included = Array.from({ length: PRODUCTS }, (_, index): LoadRequest => ({
    method: 'POST',
    path: `${PATH}/${COMPANY}`,
    body: JSON.stringify(productContent(1 + index)),
  }));
  for (const { method, path, body } of included) {
    const { status } = await fetch(catp.url + path, { method, headers, body: body ?? null });
    if (status !== 200) throw new Error(`an inclusion was answered with ${status}`);
  }
  const requests = included.flatMap((inclusion, index): LoadRequest[] => [
    ...Array.from({ length: 8 }, () => ({
      method: 'GET' as const,
      path: `${PATH}/${COMPANY}/${index + 1}/1`,
    })),
    { method: 'GET', path: `${PATH}?cpfCnpjRaiz=${COMPANY}&codigo=${index + 1}` },
    inclusion,
  ]);
  return { url: catp.url, headers, requests, connections: CONNECTIONS, seconds };
}
