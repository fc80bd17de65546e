/**
 * The import of a file of products with 20 checked attributes each, compared with sqlite3 loading the
 * resulting rows.
 */
import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { timed } from '../commands.ts';
import { type Bench, type Figure, type Measurement, atMost, measured } from '../figure.ts';
import { forgetPeak, peakMib } from '../machine.ts';
import { type Catp, startCatp } from '../programs.ts';
import { checkedProduct } from '../products.ts';
import { medianRatio } from '../statistics.ts';
import { putTableInForce } from '../table-file.ts';

const REACH = 1.6;
const MEMORY_MIB = 150;
const PRODUCTS = 100_000;
const QUICK_PRODUCTS = 10_000;
const MOST_ROUNDS = 3;
const ASK_EVERY_MS = 20;
const LOADED_TABLES = 'product product_version product_internal_code product_signature event import_result';

export const importProducts: Figure = {
  name: 'importProducts',
  about: 'importação de um arquivo, com todos os itens validados',
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  const products = bench.quick ? QUICK_PRODUCTS : PRODUCTS;
  const file = join(bench.scratch, 'import.json');
  await writeFile(file, products);
  const [ours, theirs, peaks]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < Math.min(bench.rounds, MOST_ROUNDS); round += 1) {
    const data = join(bench.scratch, `import-${round}`);
    const catp = await startCatp(data);
    try {
      await putTableInForce(catp, { full: false });
      forgetPeak(catp.pid);
      ours.push(await importFile(catp, file, products));
      peaks.push(peakMib(catp.pid));
    } finally {
      await catp.stop();
    }
    theirs.push(await loadRows(bench, join(data, 'catp.sqlite')));
    bench.say(`  catp ${Math.round(ours.at(-1) ?? 0)} ms, sqlite3 ${Math.round(theirs.at(-1) ?? 0)} ms`);
    rmSync(data, { recursive: true });
  }
  rmSync(file);
  return measured(
    atMost(medianRatio(ours, theirs), REACH),
    [
      { side: 'catp', unit: 'ms', samples: ours, peakMib: Math.max(...peaks) },
      { side: 'sqlite3', unit: 'ms', samples: theirs },
    ],
    { further: { memoryMib: atMost(Math.max(...peaks), MEMORY_MIB) }, notes: [`${products} produtos`] },
  );
}

async function writeFile(file: string, products: number): Promise<void> {
  const stream = createWriteStream(file);
  for (let index = 1; index <= products; index += 1) {
    const item = { seq: index, cpfCnpjRaiz: '12345678', ...checkedProduct(index) };
    const isRoomLeft = stream.write(`${index === 1 ? '[' : ',\n'}${JSON.stringify(item)}`);
    if (!isRoomLeft) await new Promise<void>((resolve) => stream.once('drain', () => resolve()));
  }
  await new Promise<void>((resolve) => stream.end(']', resolve));
}

interface Progress {
  readonly state: string;
  readonly created: number;
  readonly error: string | null;
}

/** Returns the milliseconds from the first byte of the upload to the end of the job. */
async function importFile(catp: Catp, file: string, products: number): Promise<number> {
  const headers = { ...(await catp.signIn('demo')) };
  const form = new FormData();
  form.set('tipo', 'produto');
  form.set('file', Bun.file(file), 'import.json');
  const started = performance.now();
  const answer = await fetch(`${catp.url}/appliance/api/imports`, { method: 'POST', headers, body: form });
  if (!answer.ok) throw new Error(`The import was refused: ${await answer.text()}`);
  const { id } = (await answer.json()) as { id: number };
  for (;;) {
    const response = await fetch(`${catp.url}/appliance/api/imports/${id}`, { headers });
    const { state, created, error } = (await response.json()) as Progress;
    if (state === 'done' && created === products) return performance.now() - started;
    if (state !== 'queued' && state !== 'running')
      throw new Error(`The import ended as ${state} with ${created} of ${products} created: ${error}`);
    await Bun.sleep(ASK_EVERY_MS);
  }
}

/**
 * Loads the rows as SQL text into a new database of the same schema, with the same durability. Returns
 * milliseconds.
 */
async function loadRows(bench: Bench, database: string): Promise<number> {
  const folder = join(bench.scratch, 'loaded');
  mkdirSync(folder);
  const rows = join(folder, 'rows.sql');
  await timed(['sqlite3', database, `.dump ${LOADED_TABLES}`], { stdout: rows });
  const pragmas = ['-cmd', 'PRAGMA journal_mode=WAL', '-cmd', 'PRAGMA synchronous=FULL'];
  const took = await timed(['sqlite3', ...pragmas, join(folder, 'loaded.sqlite')], { stdin: rows });
  rmSync(folder, { recursive: true });
  return took;
}
