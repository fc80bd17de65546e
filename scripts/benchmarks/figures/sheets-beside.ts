/**
 * The effect on another company of one user who sends eight ordinary sheets at once, imports them and
 * downloads the result.
 */
import { join } from 'node:path';
import { rmSync } from 'node:fs';
import { type Bench, type Figure, type Measurement, atMost, measured } from '../figure.ts';
import { type Catp, startCatp } from '../programs.ts';
import { median } from '../statistics.ts';
import { type LoadReport, runWrk } from '../wrk.ts';
import { sheetOf } from './import-sheet.ts';
import { otherCompany } from './one-takes-all.ts';

const REACH = 3;
const SHEETS = 8;
const ROWS = 5000;
const COMPANY = '12345678';
const AGAIN_MS = 100;

export const sheetsBeside: Figure = {
  name: 'sheetsBeside',
  about: 'p99 de outra empresa enquanto um usuário envia oito planilhas ao mesmo tempo',
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  const data = join(bench.scratch, 'sheets-beside');
  const catp = await startCatp(data);
  try {
    const { requests, ...load } = await otherCompany(catp, bench.seconds);
    const plan = { ...load, requests: requests.filter(({ method }) => method === 'GET') };
    const drive = (): Promise<LoadReport> => runWrk(bench.scratch, plan);
    const file = sheetOf(1, ROWS);
    await drive();
    const [ratios, alone, meanwhile]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < bench.rounds; round += 1) {
      const before = (await drive()).p99Ms;
      const stop = sendSheets(catp, { ...(await catp.signIn('demo')) }, file);
      const during = (await drive()).p99Ms;
      const sheetCount = await stop();
      const idle = (before + (await drive()).p99Ms) / 2;
      alone.push(idle);
      meanwhile.push(during);
      ratios.push(during / idle);
      bench.say(`  p99 sem ${idle.toFixed(2)} ms, durante ${during.toFixed(2)} ms (${sheetCount} planilhas)`);
    }
    return measured(atMost(median(ratios), REACH), [
      { side: 'enquanto ele envia', unit: 'ms p99', samples: meanwhile },
      { side: 'sem ele', unit: 'ms p99', samples: alone },
    ]);
  } finally {
    await catp.stop();
    rmSync(data, { recursive: true });
  }
}

/** Starts the sheets. Returns the function that stops them; it resolves to the number of checked sheets. */
function sendSheets(catp: Catp, headers: Readonly<Record<string, string>>, file: Blob) {
  const leaving = new AbortController();
  let count = 0;
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(catp.url + path, { headers, ...init, signal: leaving.signal });
  const again = async (step: () => Promise<void>): Promise<void> => {
    while (!leaving.signal.aborted) {
      await step().catch(() => undefined); // refused, or aborted at the end of the measurement
      await Bun.sleep(AGAIN_MS);
    }
  };
  const send = async (): Promise<void> => {
    const form = new FormData();
    form.set('file', file, 'materiais.xlsx');
    const path = `/appliance/api/sheets?cpfCnpjRaiz=${COMPANY}&tipo=produto`;
    const answer = await ask(path, { method: 'POST', body: form });
    const { id } = (await answer.json()) as { readonly id: number };
    if (!answer.ok) return;
    count += 1;
    const order = {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ sheet: id, simular: true }),
    };
    await (await ask('/appliance/api/imports', order)).text();
  };
  const download = async (): Promise<void> => {
    await (await ask(`/appliance/api/products.xlsx?cpfCnpjRaiz=${COMPANY}`)).arrayBuffer();
  };
  const all = Promise.all([...Array.from({ length: SHEETS }, () => again(send)), again(download)]);
  return async (): Promise<number> => {
    leaving.abort();
    await all;
    return count;
  };
}
