/**
 * A whole catalogue compared with the exports of a remote, against sqlite3 joining the same two exports; and
 * the effect on a look-up.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { cpuTimed, timed } from '../commands.ts';
import { copiedFolder } from '../data.ts';
import { type Bench, type Figure, type Measurement, atMost, measured } from '../figure.ts';
import { cpuMs, forgetPeak, peakMib, residentMib } from '../machine.ts';
import { type Catp, startCatp } from '../programs.ts';
import { median, medianRatio, percentile } from '../statistics.ts';
import { lookUpsWhile } from '../while.ts';

/** Contract section 18. */
const REACH_MS = 10_000;
const PRODUCTS = 100_000;
const MEMORY_MIB = 300;
const TIMES = 5;
const GET_P99_MS = 500;
const MOST_ROUNDS = 3;
const ASK_EVERY_MS = 20;
const COMPANY = '12345678';
/** One of this many products differs on the remote, is missing on it, or exists only on it. */
const CHANGED_EVERY = 100;
const MISSING_EVERY = 150;
const STRANGE_EVERY = 200;

export const compareRemote: Figure = {
  name: 'compareRemote',
  about: 'comparação de um catálogo inteiro com as exportações de um remoto',
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  const { folder, products } = await copiedFolder(bench, 'hundredThousand');
  const catp = await startCatp(folder);
  try {
    const headers = { ...(await catp.signIn('demo')) };
    await addRemote(catp);
    const exports = await exportsOf(bench, catp, headers);
    const [ours, theirs, above]: [number[], number[], number[]] = [[], [], []];
    const [cpu, theirCpu]: [number[], number[]] = [[], []];
    const lookUps: number[] = [];
    for (let round = 0; round < Math.min(bench.rounds, MOST_ROUNDS); round += 1) {
      const idle = residentMib(catp.pid);
      forgetPeak(catp.pid);
      const before = cpuMs(catp.pid);
      ours.push(await compare(catp, headers, exports, products));
      cpu.push(cpuMs(catp.pid) - before);
      above.push(peakMib(catp.pid) - idle);
      const bare = await joined(exports);
      theirs.push(bare.ms);
      theirCpu.push(bare.cpuMs);
      const compared = compare(catp, headers, exports, products);
      lookUps.push(...(await lookUpsWhile(compared, catp, headers, 1)));
      bench.say(
        `  catp ${Math.round(ours.at(-1) ?? 0)} ms (${Math.round(cpu.at(-1) ?? 0)} de CPU), sqlite3 ${Math.round(theirs.at(-1) ?? 0)} ms`,
      );
    }
    const p99 = percentile(lookUps, 99);
    return measured(
      atMost(medianRatio(ours, theirs), TIMES),
      [
        { side: 'catp', unit: 'ms', samples: ours, peakMib: Math.max(...above) },
        { side: 'catp, CPU', unit: 'ms', samples: cpu },
        { side: 'sqlite3', unit: 'ms', samples: theirs },
        { side: 'sqlite3, CPU', unit: 'ms', samples: theirCpu },
        { side: 'GET durante', unit: 'ms', samples: lookUps, p99Ms: p99 },
      ],
      {
        further: {
          wholeMs: atMost(median(ours), (REACH_MS * products) / PRODUCTS),
          memoryMib: atMost(Math.max(...above), MEMORY_MIB),
          getP99: atMost(p99, GET_P99_MS),
        },
        notes: [`${products} produtos; memória acima da que tinha parado`],
      },
    );
  } finally {
    await catp.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Headers = Readonly<Record<string, string>>;

interface Exports {
  /** Uploaded as the remote exports them: `produtos.zip` and similar files. */
  readonly form: () => FormData;
  /** JSON. */
  readonly here: string;
  readonly there: string;
}

async function addRemote(catp: Catp): Promise<void> {
  const headers = { ...(await catp.signIn('admin')), 'Content-Type': 'application/json' };
  const body = JSON.stringify({ name: 'portal', companies: [COMPANY] });
  const answer = await fetch(`${catp.url}/appliance/api/remotes`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`The remote was refused: ${await answer.text()}`);
}

/**
 * Returns our own exports, modified like those of a remote: some records changed, some missing, some added.
 */
async function exportsOf(bench: Bench, catp: Catp, headers: Headers): Promise<Exports> {
  const localFile = join(bench.scratch, 'here.json');
  const remoteFile = join(bench.scratch, 'there.json');
  const get = async (path: string, file: string): Promise<string> => {
    const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const zip = join(bench.scratch, file);
    await timed(['curl', '-sSf', ...fields, '-o', zip, `${catp.url}/catp/api/ext/${path}`]);
    return zip;
  };
  const zip = await get(`produto/exportar/${COMPANY}/true`, 'produtos.zip');
  await timed(['unzip', '-p', zip], { stdout: localFile });
  const items = (await Bun.file(localFile).json()) as Record<string, unknown>[];
  await Bun.write(remoteFile, JSON.stringify(otherSideOf(items)));
  const links = await get(`fabricante/exportar/${COMPANY}`, 'vinculos.zip');
  const produtos = join(bench.scratch, 'there.zip');
  await timed(['zip', '-q', '-j', produtos, remoteFile]);
  const form = (): FormData => {
    const body = new FormData();
    body.set('cpfCnpjRaiz', COMPANY);
    body.set('produtos', Bun.file(produtos), 'produtos.zip');
    body.set('operadores', new File(['[]'], 'operadores.json'));
    body.set('vinculos', Bun.file(links), 'vinculos.zip');
    return body;
  };
  return { form, here: localFile, there: remoteFile };
}

type Item = Readonly<Record<string, unknown>>;

/** Drafts are missing on the other side: records without a pair take most of the comparison's time. */
function otherSideOf(items: readonly Item[]): Item[] {
  const last = Math.max(...items.map(({ codigo }) => Number(codigo)));
  return items.flatMap((item, at) => {
    const { situacao, codigo, descricao } = item;
    if (situacao === 'Rascunho' || at % MISSING_EVERY === 1) return [];
    const words = String(descricao);
    const own = at % CHANGED_EVERY === 0 ? { ...item, descricao: `${words} (de lá)` } : item;
    if (at % STRANGE_EVERY !== 2) return [own];
    const strange = { codigo: last + Number(codigo), codigosInterno: [], descricao: `${words} (só lá)` };
    return [own, { ...item, ...strange }];
  });
}

interface Comparison {
  readonly state: string;
  readonly error: string | null;
  readonly counts: { readonly produto: Readonly<Record<string, number>> } | null;
}

/** Returns the milliseconds from the first byte of the upload to the end. */
async function compare(catp: Catp, headers: Headers, { form }: Exports, products: number): Promise<number> {
  const started = performance.now();
  const path = `${catp.url}/appliance/api/remotes/portal/comparisons`;
  const answer = await fetch(path, { method: 'POST', headers, body: form() });
  if (!answer.ok) throw new Error(`The comparison was refused: ${await answer.text()}`);
  const { id } = (await answer.json()) as { id: number };
  for (;;) {
    const response = await fetch(`${catp.url}/appliance/api/comparisons/${id}`, { headers });
    const { state, error, counts } = (await response.json()) as Comparison;
    if (state === 'failed') throw new Error(`The comparison failed: ${error}`);
    if (state === 'done') {
      const { soLa = 0, ...here } = counts?.produto ?? {};
      const compared = Object.values(here).reduce((sum, count) => sum + count, 0);
      if (soLa === 0) throw new Error('Nothing was found there alone.');
      if (compared !== products) throw new Error(`${compared} products were compared.`);
      return performance.now() - started;
    }
    await Bun.sleep(ASK_EVERY_MS);
  }
}

/** Counts equal, different and missing records of both exports with sqlite3 alone. */
async function joined({ here, there }: Exports): Promise<{ readonly ms: number; readonly cpuMs: number }> {
  const table = (name: string, file: string): string =>
    `CREATE TABLE ${name} AS SELECT value ->> 'codigo' AS codigo, value AS text FROM json_each(readfile('${file}'));
     CREATE UNIQUE INDEX ${name}_codigo ON ${name} (codigo);`;
  const sql = `${table('here', here)} ${table('there', there)}
    SELECT a.codigo, a.text = b.text FROM here a LEFT JOIN there b ON b.codigo = a.codigo;
    SELECT codigo FROM there WHERE codigo NOT IN (SELECT codigo FROM here);`;
  return cpuTimed(['sqlite3', ':memory:', sql]);
}
