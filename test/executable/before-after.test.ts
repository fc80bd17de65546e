/**
 * The programs of the pages `antes-e-depois`, before and after. The conformity report shows the expected
 * findings in the first ones and none in the corrected ones, which store each record of the file once under
 * every set of faults. A program runs only when its language is installed.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toEnd } from '../../scripts/proof/to-end.ts';
import { CHAOS_SET_NAMES } from '../../src/dev/fault/model.ts';
import { fences } from '../support/documents.ts';
import type { RunningCatp } from '../support/executable.ts';
import { ROOT } from '../support/sources.ts';
import { type Sandbox, openSandbox, tokensOf } from './support.ts';

setDefaultTimeout(240_000);

const EXAMPLES = join(ROOT, 'scripts/examples/antes-e-depois');
const FILE = join(EXAMPLES, 'erp.csv');
const EMPTY = '/appliance/api/snapshots/vazio';
const FAULTS = '/appliance/api/faults';
const CONFORMITY = '/appliance/api/conformity';
const LOSES = { seed: 7, set: 'respostas-perdidas' };

/** Findings of the earlier program in every language. */
const HABITS = ['tamanho', 'modalidade', 'identico', 'repeticao'];

interface Language {
  readonly name: string;
  /** The required program. */
  readonly program: string;
  /** The command lines. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Further findings in the earlier program. */
  readonly rules: readonly string[];
}

const at = (name: string): string => join(EXAMPLES, name);
const LANGUAGES: readonly Language[] = [
  {
    name: 'Python',
    program: 'python3',
    before: ['python3', at('antes.py')],
    after: ['python3', at('depois.py')],
    rules: ['autenticacao-60s'],
  },
  {
    name: 'Node.js',
    program: 'node',
    before: ['node', at('antes.mjs')],
    after: ['node', at('depois.mjs')],
    rules: ['csrf', 'operacao-descontinuada'],
  },
  {
    name: 'Java',
    program: 'javac',
    before: ['java', '-cp', 'classes', 'Antes'],
    after: ['java', '-cp', 'classes', 'Depois'],
    rules: ['csrf'],
  },
];

let sandbox: Sandbox;
let catp: RunningCatp;
let admin: Record<string, string>;
let demo: Record<string, string>;
beforeAll(async () => {
  sandbox = await openSandbox();
  catp = await sandbox.start('dev', '--empty', '--port', '0');
  [admin, demo] = (await Promise.all([
    tokensOf(catp.url, 'admin', 'admin'),
    tokensOf(catp.url, 'demo', 'demo'),
  ])) as [Record<string, string>, Record<string, string>];
  await control('POST', EMPTY);
});
afterAll(() => sandbox.close());

async function control(method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${catp.url}${path}`, {
    method,
    headers: { ...admin, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect([path, answer.ok]).toEqual([path, true]);
  return answer.status === 204 ? undefined : answer.json();
}

interface RunResult {
  readonly code: number;
  readonly output: string;
  /** The rules that the report lists as broken. */
  readonly rules: readonly string[];
  /** Number of injected faults; `undefined` without chaos. */
  readonly acted: number | undefined;
  /** Number of products for each code and modality. */
  readonly products: ReadonlyMap<string, number>;
}

/** Runs the program on an empty catalogue. */
async function runFromEmpty(words: readonly string[], chaos?: object): Promise<RunResult> {
  await control('POST', `${EMPTY}/restore`);
  return run(words, chaos);
}

/** Runs the program under these faults. The programs skip their waits. */
async function run(words: readonly string[], chaos?: object): Promise<RunResult> {
  await control('DELETE', CONFORMITY);
  if (chaos !== undefined) await control('POST', FAULTS, { chaos });
  const { code, out, err } = await toEnd([...words, FILE], {
    cwd: sandbox.folder,
    env: { PATH: process.env['PATH'], CATALOGO_URL: catp.url, ESPERA_MAXIMA: '0', PYTHONIOENCODING: 'utf-8' },
  });
  const [rule] = (await control('GET', FAULTS)) as { acted: number }[];
  await control('DELETE', FAULTS);
  const { findings } = (await control('GET', CONFORMITY)) as { findings: { rule: string }[] };
  const rules = findings.map((finding) => finding.rule);
  return { code, output: out + err, rules, acted: rule?.acted, products: await products() };
}

async function products(): Promise<ReadonlyMap<string, number>> {
  const answer = await fetch(`${catp.url}/catp/api/ext/produto?cpfCnpjRaiz=12345678`, { headers: demo });
  const items = (await answer.json()) as { modalidade: string; codigosInterno: string[] }[];
  const counts = new Map<string, number>();
  for (const { modalidade, codigosInterno } of items)
    for (const code of codigosInterno) {
      const key = `${code} ${modalidade}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return counts;
}

/** The expected products: each record of the file once. */
const EXPECTED = new Map(
  readFileSync(FILE, 'utf8')
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [code = '', , modalidade = ''] = line.split(';');
      const modalities = modalidade === 'AMBOS' ? ['IMPORTACAO', 'EXPORTACAO'] : [modalidade];
      return modalities.map((modality) => [`${code} ${modality}`, 1] as const);
    }),
);
const sorted = (words: Iterable<unknown>): string[] =>
  [...words].map(String).toSorted((a, b) => (a < b ? -1 : 1));

/** Prints a warning when the program is not installed. */
function hasProgram(program: string): boolean {
  const isInstalled = Bun.which(program) !== null && Bun.spawnSync([program, '--version']).exitCode === 0;
  if (!isInstalled)
    console.warn(`ATENÇÃO: sem ${program}; o seu programa de antes e depois NÃO foi posto à prova.`);
  return isInstalled;
}

test('the page shows the programs of one language and the file unchanged', async () => {
  const printedExamples = (await fences()).map(({ code }) => code.trim());
  for (const name of ['erp.csv', 'antes.py', 'depois.py'])
    expect([name, printedExamples.includes(readFileSync(at(name), 'utf8').trim())]).toEqual([name, true]);
});

for (const { name, program, before, after, rules } of LANGUAGES)
  describe.if(hasProgram(program))(name, () => {
    beforeAll(() => {
      if (program !== 'javac') return;
      const { exitCode, stderr } = Bun.spawnSync(
        [program, '-encoding', 'UTF-8', '-d', 'classes', at('Antes.java'), at('Depois.java')],
        { cwd: sandbox.folder },
      );
      expect([exitCode, stderr.toString()]).toEqual([0, '']);
    });

    test('before: the report of conformity lists its faults, and a lost answer stores a record twice', async () => {
      const result = await runFromEmpty(before, LOSES);
      expect(sorted(result.rules)).toEqual(sorted([...HABITS, ...rules]));
      expect([...result.products.values()].some((count) => count > 1)).toBe(true);
    });

    test('after: the report is empty, with and without lost answers, and a second run changes nothing', async () => {
      for (const go of [() => runFromEmpty(after), () => runFromEmpty(after, LOSES), () => run(after)]) {
        const result = await go();
        expect([result.code, result.rules, result.code === 0 ? '' : result.output]).toEqual([0, [], '']);
        expect(result.products).toEqual(EXPECTED);
      }
    });

    test.each(CHAOS_SET_NAMES)('after, under %s: no record is duplicated or lost', async (set) => {
      const result = await runFromEmpty(after, { seed: 3, set });
      expect(result.acted).toBeGreaterThan(0);
      expect([result.code, result.code === 0 ? '' : result.output]).toEqual([0, '']);
      expect(result.products).toEqual(EXPECTED);
      // The program requested the minute between two sign-ins, which this test shortened.
      expect(result.rules.filter((rule) => rule !== 'autenticacao-60s')).toEqual([]);
      if (set === 'sessao-vencida') expect(result.output).toMatch(/esperando (?:60|5\d) s: outra/);
    });
  });
