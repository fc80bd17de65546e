/**
 * The slowdown of a catalogue of ten million products: every load against one of 100 000, in the same run.
 */
import { rmSync } from 'node:fs';
import { type Data, copiedFolder } from '../data.ts';
import { type Side, duel, rowOf } from '../duel.ts';
import {
  type Bench,
  type Figure,
  type Measurement,
  type Row,
  type Verdict,
  atLeast,
  atMost,
  measured,
} from '../figure.ts';
import { type Catp, startCatp } from '../programs.ts';
import { firstAnswer, serving } from '../starting.ts';
import { medianRatio } from '../statistics.ts';
import { fiveFilters, inclusions, randomReads } from '../traffic.ts';
import type { LoadReport, LoadRequest } from '../wrk.ts';

const START_REACH = 2;
const GET_REACH = 0.65;
const POST_REACH = 0.9;
const FILTER_REACH = 1.1;

const CONNECTIONS = 64;
const FILTER_CONNECTIONS = 4;

export const tenMillion: Figure = {
  name: 'tenMillion',
  about: 'início, consultas, inclusões e filtros com dez milhões de produtos e com cem mil',
  isLong: true,
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  const [large, small] = [
    await copiedFolder(bench, 'tenMillion'),
    await copiedFolder(bench, 'hundredThousand'),
  ];
  try {
    const start = await compareStarts(bench, large, small);
    const [ofLarge, ofSmall] = await Promise.all([startCatp(large.folder), startCatp(small.folder)]);
    try {
      const further = await compareLoads(bench, { ...large, catp: ofLarge }, { ...small, catp: ofSmall });
      const rows = [...start.rows, ...further.flatMap(({ rows: each }) => each)];
      const verdicts = Object.fromEntries(further.map(({ name, verdict }) => [name, verdict]));
      return measured(start.verdict, rows, { further: verdicts, notes: ['a primeira razão é a do início'] });
    } finally {
      await Promise.all([ofLarge.stop(), ofSmall.stop()]);
    }
  } finally {
    for (const { folder } of [large, small]) rmSync(folder, { recursive: true });
  }
}

interface Compared {
  readonly name: string;
  readonly verdict: Verdict;
  readonly rows: readonly Row[];
}

const named = ({ products }: Data, what: string): string => `${what}, ${products} produtos`;

async function compareStarts(bench: Bench, large: Data, small: Data): Promise<Compared> {
  const [ofLarge, ofSmall]: [number[], number[]] = [[], []];
  for (let round = 0; round < bench.rounds; round += 1) {
    ofLarge.push((await firstAnswer(serving(large.folder), '/healthz')).ms);
    ofSmall.push((await firstAnswer(serving(small.folder), '/healthz')).ms);
  }
  return {
    name: 'start',
    verdict: atMost(medianRatio(ofLarge, ofSmall), START_REACH),
    rows: [
      { side: named(large, 'início'), unit: 'ms', samples: ofLarge },
      { side: named(small, 'início'), unit: 'ms', samples: ofSmall },
    ],
  };
}

interface Running extends Data {
  readonly catp: Catp;
}

/** Inclusions run last: their writes do not affect the other loads. */
async function compareLoads(bench: Bench, large: Running, small: Running): Promise<Compared[]> {
  const perSecond = ({ requestsPerSecond }: LoadReport): number => requestsPerSecond;
  const p95 = ({ p95Ms }: LoadReport): number => p95Ms;
  const compare = async (
    name: string,
    what: string,
    requestsOf: (products: number) => LoadRequest[],
    connections: number,
  ) => {
    const sideOf = async (running: Running): Promise<Side> => {
      const { catp, products } = running;
      const headers = { ...(await catp.signIn('demo')), 'Content-Type': 'application/json' };
      const plan = { url: catp.url, headers, requests: requestsOf(products), connections };
      return { name: named(running, what), pid: catp.pid, plan };
    };
    const sides = [await sideOf(large), await sideOf(small)] as const;
    const reports = await duel(bench, sides);
    const ratioOf = (of: (report: LoadReport) => number): number =>
      medianRatio(reports[0].map(of), reports[1].map(of));
    const rowsOf = (measure: 'requests' | 'p95'): Row[] => [
      rowOf(sides[0], reports[0], measure),
      rowOf(sides[1], reports[1], measure),
    ];
    return { name, ratioOf, rowsOf };
  };
  const get = await compare('get', 'GET', randomReads, CONNECTIONS);
  const filters = await compare('filters', 'filtros', fiveFilters, FILTER_CONNECTIONS);
  const post = await compare('post', 'POST', inclusions, CONNECTIONS);
  return [
    { name: 'get', verdict: atLeast(get.ratioOf(perSecond), GET_REACH), rows: get.rowsOf('requests') },
    { name: 'post', verdict: atLeast(post.ratioOf(perSecond), POST_REACH), rows: post.rowsOf('requests') },
    { name: 'filters', verdict: atMost(filters.ratioOf(p95), FILTER_REACH), rows: filters.rowsOf('p95') },
  ];
}
