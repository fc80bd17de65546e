/**
 * Runs the real Litestream next to the real executable under write load, kills both and restores the replica.
 * All writes that were acknowledged before Litestream's last replication must exist. Later ones are reported,
 * not judged: a replica lags behind.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openForReading } from '../src/db/open.ts';
import { signIn } from './proof/client.ts';
import { structureProblems } from './proof/database.ts';
import { startServer } from './proof/server.ts';
import { printTable } from './proof/table.ts';
import { configText, inStep, litestreamPath, replicateBy } from './proof/takeover/litestream.ts';

const COMPANY = '12345678';
const WRITERS = 16;
/** Litestream replicates every second by default; three times that is enough on a busy machine. */
const REPLICATED_WITHIN_MS = 3000;
const SHOWN_PROBLEMS = 20;

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '20' }, executable: { type: 'string' } },
});
const loadMs = Number(options.seconds) * 1000;

const folder = mkdtempSync(join(tmpdir(), 'catp-litestream-'));
const data = join(folder, 'dados');
const database = join(data, 'catp.sqlite');
const place = { database, socket: join(folder, 'litestream.sock'), url: `file://${join(folder, 'epoca-1')}` };
const config = join(folder, 'litestream.yml');
writeFileSync(config, configText(place));

const server = startServer({ executable: options.executable, data });
const client = await signIn(await server.ready, 'demo');
const replicating = replicateBy(config);
await inStep(place);

/** The code of each product, and the time of its acknowledgement. */
const acknowledged: { readonly codigo: number; readonly at: number }[] = [];
const begun = performance.now();
let longestLog = 0;

async function write(): Promise<void> {
  while (performance.now() - begun < loadMs) {
    const answer = await client.call('POST', `/catp/api/ext/produto/${COMPANY}`, {
      denominacao: 'Produto sob réplica',
      modalidade: 'IMPORTACAO',
      ncm: '39269090',
    });
    if (answer?.status !== 200)
      throw new Error(`a gravação não foi aceita: ${answer?.text ?? 'sem resposta'}`);
    const { codigo } = answer.body as { readonly codigo: number };
    acknowledged.push({ codigo, at: performance.now() });
    longestLog = Math.max(longestLog, statSync(`${database}-wal`).size);
  }
}
await Promise.all(Array.from({ length: WRITERS }, write));
const killedAt = performance.now();
await Promise.all([server.kill9(), replicating.kill9()]);

const restored = join(folder, 'restaurado.sqlite');
const restoring = Bun.spawnSync([litestreamPath ?? '', 'restore', '-o', restored, place.url]);
const problems: string[] = [];
let late = 0;
if (restoring.exitCode === 0) {
  problems.push(...structureProblems(restored));
  const db = openForReading(restored);
  const codes = new Set(db.prepare<[], number>('SELECT id % 10000000000 FROM product').pluck().all());
  db.close();
  for (const { codigo, at } of acknowledged) {
    if (codes.has(codigo)) continue;
    if (killedAt - at > REPLICATED_WITHIN_MS) problems.push(`produto ${codigo}, confirmado, não está lá`);
    else late += 1;
  }
} else problems.push(`litestream restore terminou com ${restoring.exitCode}: ${restoring.stderr.toString()}`);

printTable(
  ['prova', 'resultado'],
  [
    ['gravações confirmadas', String(acknowledged.length)],
    ['por segundo', (acknowledged.length / ((killedAt - begun) / 1000)).toFixed(0)],
    ['log de escrita, o maior', `${(longestLog / 2 ** 20).toFixed(1)} MiB`],
    [`dos últimos ${REPLICATED_WITHIN_MS / 1000} s, ainda não na réplica`, String(late)],
    ['perdas', String(problems.length)],
  ],
);
for (const problem of problems.slice(0, SHOWN_PROBLEMS)) console.error(`  PERDA: ${problem.slice(0, 500)}`);
if (problems.length === 0) rmSync(folder, { recursive: true, force: true });
else console.error(`O que o Litestream disse:\n${(await replicating.said).slice(-4000)}`);
console.log(
  `\nlitestream: ${problems.length === 0 ? 'a réplica tem tudo' : `${problems.length} PERDAS; os dados ficaram em ${folder}`}`,
);
process.exit(problems.length === 0 ? 0 : 1);
