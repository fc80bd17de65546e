/** `scripts/bench`: measures every figure of the list in order, each against its baseline. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Bench } from './figure.ts';
import { FIGURES } from './figures.ts';
import { currentLoad, measureSync } from './machine.ts';
import { executable } from './programs.ts';
import { type Measured, introduction, summary, table } from './report.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string' },
  },
});
const quick = options.quick;
const rounds = Number(options.rounds ?? (quick ? 2 : 5));
if (!(Number.isInteger(rounds) && rounds > 0))
  fail(`--rounds ${options.rounds}: informe um número a partir de 1.`);
const names = options.only?.split(',').map((name) => name.trim());
const unknown = names?.find((name) => FIGURES.every((figure) => figure.name !== name));
if (unknown !== undefined)
  fail(`--only ${unknown}: medida desconhecida. Medidas: ${FIGURES.map(({ name }) => name).join(', ')}.`);

const home = join(tmpdir(), 'catp-bench');
mkdirSync(home, { recursive: true });
const scratch = mkdtempSync(join(home, 'run-'));
const say = (text: string): void => console.error(text);
const bench: Bench = { quick, rounds, seconds: quick ? 2 : 8, scratch, say };
const frozen = executable();
const results: Measured[] = [];
const failures: string[] = [];
try {
  const version = Bun.spawnSync([frozen, '--version']).stdout.toString().trim();
  console.log(introduction(currentLoad(), measureSync(scratch), version));
  for (const figure of FIGURES.filter(
    ({ name, isLong = false }) => names?.includes(name) ?? !(quick && isLong),
  )) {
    const lacking = figure.lacks?.();
    if (lacking !== undefined) {
      say(`${figure.name}: PULADO: ${lacking}; nada foi medido.`);
      continue;
    }
    say(`${figure.name}: ${figure.about}`);
    try {
      results.push({ figure, measurement: await figure.measure(bench) });
    } catch (error) {
      failures.push(figure.name);
      say(`  ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
  rmSync(frozen, { force: true });
}
if (quick) console.log('Medição rápida: catálogos dez vezes menores e poucas rodadas.');
console.log(table(results));
if (failures.length > 0) console.log(`Não medido (veja a causa acima): ${failures.join(', ')}`);
console.log(summary(results));
process.exit(failures.length > 0 ? 1 : 0);

function fail(message: string): never {
  console.error(`bench: ${message}`);
  process.exit(2);
}
