/** The work list of a user with fifty clients, and the pages of a large catalogue, all with deadlines. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { timed } from '../commands.ts';
import { type DataName, copiedFolder } from '../data.ts';
import { type Bench, type Figure, type Measurement, atMost, measured } from '../figure.ts';
import { type Catp, startCatp } from '../programs.ts';
import { median } from '../statistics.ts';

/** The limit for fifty companies of 10 000 products each (contract section 25). */
const CLIENTS_MS = 300;
/** The limit for a page of 100 000 products. */
const LARGE_MS = 500;
const REQUESTS_A_ROUND = 5;
const ATTENTION = '/appliance/api/attention';
const LARGE = 'cpfCnpjRaiz=12345678';

export const workList: Figure = {
  name: 'workList',
  about:
    'lista de trabalho de 50 empresas de 10 000 produtos, e páginas de 100 000, com prazo em uma de cada cem NCMs',
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  const [clients = []] = await timesOf(bench, 'fiftyClients', 'some', [ATTENTION]);
  const [clientsOfAll = []] = await timesOf(bench, 'fiftyClients', 'all', [ATTENTION]);
  const [list = [], search = [], attention = []] = await timesOf(bench, 'hundredThousand', 'some', [
    `/appliance/api/products?${LARGE}`,
    '/appliance/api/search?text=parafuso',
    `${ATTENTION}?${LARGE}`,
  ]);
  return measured(
    atMost(median(clients), CLIENTS_MS),
    [
      { side: 'attention de 50 empresas', unit: 'ms', samples: clients },
      { side: 'a mesma, com prazo em todas as NCMs', unit: 'ms', samples: clientsOfAll },
      { side: 'lista de 100 000', unit: 'ms', samples: list },
      { side: 'busca em 100 000', unit: 'ms', samples: search },
      { side: 'attention de 100 000', unit: 'ms', samples: attention },
    ],
    {
      further: {
        list: atMost(median(list), LARGE_MS),
        search: atMost(median(search), LARGE_MS),
        attention: atMost(median(attention), LARGE_MS),
      },
    },
  );
}

/** Returns the times of each path in ms, on a server that is already warm, with near deadlines of these NCMs. */
async function timesOf(
  bench: Bench,
  data: DataName,
  deadlines: 'some' | 'all',
  paths: readonly string[],
): Promise<readonly number[][]> {
  const { folder } = await copiedFolder(bench, data);
  await timed([process.execPath, 'run', join(import.meta.dir, '..', 'deadline-table.ts'), folder, deadlines]);
  const catp = await startCatp(folder);
  try {
    const headers = { ...(await catp.signIn('demo')) };
    const times = paths.map((): number[] => []);
    for (const path of paths) await timeOf(catp, path, headers);
    for (let round = 0; round < bench.rounds * REQUESTS_A_ROUND; round += 1)
      for (const [at, path] of paths.entries()) times[at]?.push(await timeOf(catp, path, headers));
    return times;
  } finally {
    await catp.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timeOf(catp: Catp, path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const started = performance.now();
  const answer = await fetch(catp.url + path, { headers });
  if (!answer.ok) throw new Error(`GET ${path}: ${answer.status}`);
  await answer.text();
  return performance.now() - started;
}
