/**
 * Every answer, read strictly by types that a standard generator creates from the document: Go, when it
 * is installed.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toEnd } from '../../scripts/proof/to-end.ts';
import { ROOT } from '../support/sources.ts';
import { type Document, type JsonSchema, entriesOf } from './document.ts';
import { type Answer, NOT_DONE, collectedAnswers, eventsOf } from './strict/answers.ts';

setDefaultTimeout(300_000);

const GO = join(ROOT, '.tools/go');
const hasGo = existsSync(join(GO, 'installed.sum')) && Bun.which('go') !== null;
if (!hasGo)
  console.warn('ATENÇÃO: sem oapi-codegen (com Go); as respostas NÃO foram lidas pelos tipos gerados.');

let home: string;
let document: Document;
let answers: readonly Answer[];
beforeAll(async () => {
  if (!hasGo) return;
  home = mkdtempSync(join(tmpdir(), 'catp-strict-'));
  ({ document, answers } = await collectedAnswers());
  await build();
});
afterAll(() => {
  if (hasGo) rmSync(home, { recursive: true, force: true });
});

async function run(words: readonly string[], input = ''): Promise<string> {
  const { code, out, err } = await toEnd(words, {
    cwd: home,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      GOMODCACHE: join(GO, 'mod'),
      GOCACHE: join(GO, 'cache'),
      GOPROXY: 'off',
    },
    stdin: new Blob([input]),
  });
  expect([words[0], code, code === 0 ? '' : out + err]).toEqual([words[0], 0, '']);
  return out;
}

/** Returns the name that the generator creates. */
const goName = (operation: string): string => operation.charAt(0).toUpperCase() + operation.slice(1);

const OWN = '#/components/schemas/';

const goTypeOf = ({ $ref = '', items }: JsonSchema): string =>
  items === undefined ? $ref.slice(OWN.length) : `[]${goTypeOf(items)}`;

async function build(): Promise<void> {
  for (const name of ['go.mod', 'go.sum']) cpSync(join(ROOT, 'test/clients', name), join(home, name));
  cpSync(join(ROOT, 'test/contract/strict/main.go'), join(home, 'main.go'));
  writeFileSync(join(home, 'catp.json'), JSON.stringify(document));
  const generatorFlags = ['-generate', 'types,client', '-package', 'main', '-o', 'catp.go', 'catp.json'];
  await run([join(GO, 'bin/oapi-codegen'), ...generatorFlags]);
  const forms = entriesOf(document).map(
    ({ operationId }) => `\t"${operationId}": reflect.TypeOf(${goName(operationId)}Response{}),`,
  );
  const events = eventsOf(document).map(
    ({ evento, schema }) => `\t"${evento}": reflect.TypeOf(${goTypeOf(schema)}{}),`,
  );
  writeFileSync(
    join(home, 'forms.go'),
    [
      ...['package main', 'import "reflect"', 'var forms = map[string]reflect.Type{', ...forms, '}'],
      ...['var events = map[string]reflect.Type{', ...events, '}\n'],
    ].join('\n'),
  );
  await run(['go', 'build', '-o', 'strict', '.']);
}

const read = async (some: readonly Answer[]): Promise<readonly string[]> => {
  const lines = await run([join(home, 'strict')], some.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return lines.trim().split('\n');
};

test.if(hasGo)('most operations have a success, and all with tokens a refusal', () => {
  const succeeded = new Set(answers.filter(({ status }) => status < 300).map(({ operation }) => operation));
  const wanted = entriesOf(document).filter(({ responses }) =>
    Object.entries(responses).some(
      ([status, { content }]) => status.startsWith('2') && content?.['application/json'] !== undefined,
    ),
  );
  const unseen = wanted.map(({ operationId }) => operationId).filter((one) => !succeeded.has(one));
  expect(unseen.toSorted((one, other) => one.localeCompare(other))).toEqual(NOT_DONE);
  const refused = new Set(answers.filter(({ status }) => status === 401).map(({ operation }) => operation));
  const guarded = entriesOf(document).filter(
    ({ security, operationId }) => security.length > 0 && operationId !== 'followRequests',
  );
  expect(guarded.map(({ operationId }) => operationId).filter((one) => !refused.has(one))).toEqual([]);
});

test.if(hasGo)(
  'each answer fits its type; one with a member more, less or of another type does not',
  async () => {
    expect(await read(answers)).toEqual(['end']);
    const good = answers.find(({ operation, status }) => operation === 'includeProduct' && status === 200);
    const body = good?.body as Record<string, unknown>;
    const { versao: _, ...less } = body;
    const wrong = [{ ...body, more: 1 }, less, { ...body, codigo: 'um' }];
    const refusals = await read(
      wrong.map((one) => ({ operation: 'includeProduct', status: 200, body: one })),
    );
    expect(refusals).toEqual([
      expect.stringContaining('unknown field "more"'),
      'includeProduct 200 /versao is missing',
      expect.stringContaining('cannot unmarshal string'),
      'end',
    ]);
  },
);

test.if(hasGo)(
  'a sample of every event with a known form fits its type; one with a member less does not',
  async () => {
    const samples = eventsOf(document).map(({ evento, sample }) => ({
      operation: evento,
      status: 0,
      body: sample,
    }));
    expect(await read(samples)).toEqual(['end']);
    const empty = { operation: 'dimp-registro-import', status: 0, body: {} };
    expect(await read([empty])).toContain('dimp-registro-import 0 /canal is missing');
  },
);
