/** Catalogues on disk, filled once and kept in the system's temporary folder as long as the schema stays the same. */
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Glob } from 'bun';
import type { Bench } from './figure.ts';
import { ROOT, makeFolder } from './programs.ts';

export type DataName =
  'tenThousand' | 'hundredThousand' | 'fourHundredThousand' | 'million' | 'tenMillion' | 'fiftyClients';

/** The number of products of the company 12345678 in each catalogue, or of each client. */
const PRODUCTS: Readonly<Record<DataName, number>> = {
  tenThousand: 10_000,
  hundredThousand: 100_000,
  fourHundredThousand: 400_000,
  million: 1_000_000,
  tenMillion: 10_000_000,
  fiftyClients: 10_000,
};

/** The number of clients that have these products each. */
const CLIENTS: Readonly<Partial<Record<DataName, number>>> = { fiftyClients: 50 };

/** The quick run measures a tenth of the products. */
const QUICK_DIVISOR = 10;

/** The files that a kept catalogue depends on. */
const INPUTS = [
  'migrations/*.sql',
  'scripts/benchmarks/{seed,products}.ts',
  'src/catalogue/product/{store,record,model}.ts',
  'src/catalogue/versioned/store.ts',
];

export interface Data {
  readonly folder: string;
  readonly products: number;
}

/** Returns the folder of a catalogue; fills it when it is missing. */
export async function dataFolder(bench: Bench, name: DataName): Promise<Data> {
  const products = PRODUCTS[name] / (bench.quick ? QUICK_DIVISOR : 1);
  const home = join(tmpdir(), 'catp-bench', 'data');
  const clients = CLIENTS[name] ?? 0;
  const folder = join(home, schemaChecksum(), clients === 0 ? String(products) : `${clients}x${products}`);
  if (!existsSync(folder)) {
    removeOtherSchemas(home);
    mkdirSync(dirname(folder), { recursive: true });
    bench.say(
      `  preparando ${clients === 0 ? 'um catálogo' : `${clients} catálogos`} de ${products} produtos`,
    );
    await seed(folder, { products, clients }, bench);
  }
  return { folder, products };
}

/** Returns a copy for writing: the kept catalogue does not change. The caller removes the copy. */
export async function copiedFolder(bench: Bench, name: DataName): Promise<Data> {
  const { folder, products } = await dataFolder(bench, name);
  const copy = join(bench.scratch, `copy-${name}-${products}`);
  cpSync(folder, copy, { recursive: true });
  return { folder: copy, products };
}

async function seed(
  folder: string,
  { products, clients }: { readonly products: number; readonly clients: number },
  bench: Bench,
): Promise<void> {
  const started = performance.now();
  const unfinished = `${folder}.${process.pid}`;
  await makeFolder(unfinished, products, clients);
  renameSync(unfinished, folder);
  bench.say(`  preparado em ${((performance.now() - started) / 1000).toFixed(0)} s`);
}

function schemaChecksum(): string {
  const hasher = new Bun.CryptoHasher('sha256');
  for (const pattern of INPUTS)
    for (const file of [...new Glob(pattern).scanSync({ cwd: ROOT, absolute: true })].sort())
      hasher.update(readFileSync(file));
  return hasher.digest('hex').slice(0, 16);
}

function removeOtherSchemas(home: string): void {
  if (!existsSync(home)) return;
  for (const other of readdirSync(home))
    if (other !== schemaChecksum()) rmSync(join(home, other), { recursive: true, force: true });
}
