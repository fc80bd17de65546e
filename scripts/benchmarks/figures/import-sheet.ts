/**
 * The import of a spreadsheet from its first byte to its last row; and the effect on a look-up (contract
 * section 24).
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { simpleXlsx } from '../../../test/sheet/support.ts';
import { type Bench, type Figure, type Measurement, atMost, measured } from '../figure.ts';
import { cpuMs, forgetPeak, peakMib, residentMib, sumOf, withWorkers } from '../machine.ts';
import { CHECKED_ATTRIBUTES, CHECKED_NCM, productContent } from '../products.ts';
import { type Catp, startCatp } from '../programs.ts';
import { median, percentile } from '../statistics.ts';
import { putTableInForce } from '../table-file.ts';
import { lookUpsWhile } from '../while.ts';

const REACH_MS = 5000;
const GET_P99_MS = 500;
const MEMORY_MIB = 400;
const ROWS = 10_000;
const QUICK_ROWS = 1000;
const MOST_ROUNDS = 3;
const ASK_EVERY_MS = 20;

export const importSheet: Figure = {
  name: 'importSheet',
  about: 'planilha XLSX de 25 colunas enviada, lida, conferida e importada',
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  const rows = bench.quick ? QUICK_ROWS : ROWS;
  const [first, second] = [sheetOf(1, rows), sheetOf(rows + 1, rows)];
  const [looks, whole, cpu]: [number[], number[], number[]] = [[], [], []];
  const [lookUps, more]: [number[], number[]] = [[], []];
  for (let round = 0; round < Math.min(bench.rounds, MOST_ROUNDS); round += 1) {
    const data = join(bench.scratch, `sheet-${round}`);
    const catp = await startCatp(data);
    try {
      await putTableInForce(catp, { full: false });
      const headers = { ...(await catp.signIn('demo')) };
      forgetPeak(catp.pid);
      const [before, spent] = [residentMib(catp.pid), cpuMs(catp.pid)];
      // Look-ups without a pause take one core: the duration is measured without them.
      const took = await importRows(catp, headers, first, rows);
      looks.push(took.lookMs);
      whole.push(took.wholeMs);
      const pids = withWorkers(catp.pid);
      cpu.push(sumOf(pids, cpuMs) - spent);
      more.push(sumOf(pids, peakMib) - before);
      const ended = importRows(catp, headers, second, rows);
      lookUps.push(...(await lookUpsWhile(ended, catp, headers)));
    } finally {
      await catp.stop();
      rmSync(data, { recursive: true });
    }
  }
  const p99 = percentile(lookUps, 99);
  return measured(
    atMost(median(whole), REACH_MS),
    [
      { side: 'até a última linha', unit: 'ms', samples: whole },
      { side: 'CPU disso, em todas as threads', unit: 'ms', samples: cpu },
      { side: 'até as colunas adivinhadas', unit: 'ms', samples: looks },
      { side: 'GET durante', unit: 'ms', samples: lookUps, p99Ms: p99 },
    ],
    {
      further: {
        getP99: atMost(p99, GET_P99_MS),
        furtherMib: atMost(Math.max(...more), MEMORY_MIB),
      },
      notes: [`${rows} linhas, ${Math.round(first.size / 1024)} KiB`],
    },
  );
}

/** Five members, and one attribute in each further column, named and filled as a person does. */
export function sheetOf(from: number, rows: number): Blob {
  const headings = ['Denominação', 'Clas. Fiscal (NCM)', 'Modalidade', 'Cód. Material', 'Descrição'];
  const attributes = CHECKED_ATTRIBUTES.map(({ codigo }) => `Atributo inventado (${codigo})`);
  const values = CHECKED_ATTRIBUTES.map(({ valor }) => valor.replace(/^(\d+)\.(\d+)$/, '$1,$2'));
  const lines = Array.from({ length: rows }, (_, at) => {
    const { denominacao, descricao } = productContent(from + at);
    const members = [denominacao, CHECKED_NCM, 'Importação', `MAT-${from + at}`, descricao ?? ''];
    return [...members, ...values];
  });
  return new Blob([simpleXlsx([[...headings, ...attributes], ...lines])]);
}

type Headers = Readonly<Record<string, string>>;

async function importRows(catp: Catp, headers: Headers, file: Blob, rows: number) {
  const form = new FormData();
  form.set('file', file, 'materiais.xlsx');
  const started = performance.now();
  const request = { method: 'POST', headers, body: form };
  const { id: sheet } = await get(catp, '/appliance/api/sheets?cpfCnpjRaiz=12345678&tipo=produto', request);
  const lookMs = performance.now() - started;
  const order = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } };
  const path = '/appliance/api/imports';
  const { id } = await get(catp, path, { ...order, body: JSON.stringify({ sheet }) });
  for (;;) {
    const { state, created } = await get(catp, `${path}/${id}`, { headers });
    if (state === 'done' && created === rows) return { lookMs, wholeMs: performance.now() - started };
    if (state !== 'queued' && state !== 'running')
      throw new Error(`The import ended as ${state} with ${created} of ${rows} created.`);
    await Bun.sleep(ASK_EVERY_MS);
  }
}

interface Answer {
  readonly id: number;
  readonly state: string;
  readonly created: number;
}

async function get(catp: Catp, path: string, init: RequestInit): Promise<Answer> {
  const answer = await fetch(catp.url + path, init);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}
