/** Every answer, read strictly by types that a stock generator makes of the document: Go, where it is installed. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callersOf, open, prepare, requestFor } from '../permissions/prepared.ts';
import { ROOT } from '../support/sources.ts';
import { type Document, type Entry, entriesOf } from './document.ts';

setDefaultTimeout(300_000);

const GO = join(ROOT, '.tools/go');
const hasGo = existsSync(join(GO, 'installed.sum')) && Bun.which('go') !== null;
if (!hasGo)
  console.warn('ATENÇÃO: sem oapi-codegen (com Go); as respostas NÃO foram lidas pelos tipos gerados.');

/** After all else, in this order: what takes away something that others ask about, and then what ends the sessions of all. */
const LATE: readonly RegExp[] = [
  /^(unlink|unsubscribe|cancel)/,
  /^(clear|remove(?!User|Key)|forget)/,
  /^moveClock/,
  /^(reset|restoreSnapshot|end|removeUser|removeKey)/,
];
const METHODS = ['GET', 'PUT', 'POST', 'DELETE'];

/** What their examples are about is in another state here, or is a certificate, a sheet, a remote that there is not. */
const NOT_DONE = [
  ...[
    'authenticate',
    'authenticateByGet',
    'cancelRun',
    'correctImport',
    'decidePair',
    'editDraft',
    'getSheet',
  ],
  ...['linkManufacturer', 'pauseRun', 'resumeRun', 'tryRemote', 'undoImport', 'unlinkManufacturer'],
];

interface Answer {
  readonly operation: string;
  readonly status: number;
  readonly body: unknown;
}

let home: string;
let document: Document;
const answers: Answer[] = [];
beforeAll(async () => {
  if (!hasGo) return;
  home = mkdtempSync(join(tmpdir(), 'catp-strict-'));
  const prepared = await prepare();
  ({ document } = prepared);
  const server = await open(prepared.folder);
  const ask = await callersOf(server);
  const key = { 'client-id': 'demo', 'client-secret': 'demo', 'role-type': 'IMPEXP' };
  const entered = await server.anybody.call('POST', '/portal/api/autenticar/chave-acesso', undefined, key);
  answers.push({ operation: 'authenticateWithKey', status: entered.status, body: entered.json });
  for (const { operationId: operation } of inOrder(document))
    for (const caller of ['none', 'stranger', 'owner', 'admin'] as const) {
      const reply = await ask(caller, requestFor(document, operation));
      if (reply.headers.get('content-type')?.startsWith('application/json') !== true) continue;
      answers.push({ operation, status: reply.status, body: reply.json });
    }
  await server.close();
});
afterAll(() => {
  if (hasGo) rmSync(home, { recursive: true, force: true });
});

/** A look, then a change, then what is new, then an end. A stream never ends. */
function inOrder(all: Document): readonly Entry[] {
  const rank = ({ method, operationId }: Entry): number => {
    const late = LATE.findIndex((some) => some.test(operationId));
    return late < 0 ? METHODS.indexOf(method) : METHODS.length + late;
  };
  return entriesOf(all)
    .filter(({ operationId }) => operationId !== 'followRequests')
    .toSorted((one, other) => rank(one) - rank(other));
}

async function run(words: readonly string[], input = ''): Promise<string> {
  const child = Bun.spawn([...words], {
    cwd: home,
    env: {
      ...{ PATH: process.env['PATH'], HOME: home },
      ...{ GOMODCACHE: join(GO, 'mod'), GOCACHE: join(GO, 'cache'), GOPROXY: 'off' },
    },
    stdin: new Blob([input]),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [code, out, errors] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect([words[0], code, code === 0 ? '' : out + errors]).toEqual([words[0], 0, '']);
  return out;
}

/** As the generator names them. */
const goName = (operation: string): string => operation.charAt(0).toUpperCase() + operation.slice(1);

async function build(): Promise<void> {
  for (const name of ['go.mod', 'go.sum']) cpSync(join(ROOT, 'test/clients', name), join(home, name));
  cpSync(join(ROOT, 'test/contract/strict/main.go'), join(home, 'main.go'));
  writeFileSync(join(home, 'catp.json'), JSON.stringify(document));
  const made = ['-generate', 'types,client', '-package', 'main', '-o', 'catp.go', 'catp.json'];
  await run([join(GO, 'bin/oapi-codegen'), ...made]);
  const forms = entriesOf(document).map(
    ({ operationId }) => `\t"${operationId}": reflect.TypeOf(${goName(operationId)}Response{}),`,
  );
  writeFileSync(
    join(home, 'forms.go'),
    ['package main', 'import "reflect"', 'var forms = map[string]reflect.Type{', ...forms, '}\n'].join('\n'),
  );
  await run(['go', 'build', '-o', 'strict', '.']);
}

const read = async (some: readonly Answer[]): Promise<readonly string[]> => {
  const lines = await run([join(home, 'strict')], some.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return lines.trim().split('\n');
};

test.if(hasGo)('of most operations a success was seen, and of all that ask for tokens a refusal', () => {
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

test.if(hasGo)('each fits its type; one with a member more, less or of another type does not', async () => {
  await build();
  expect(await read(answers)).toEqual(['end']);
  const good = answers.find(({ operation, status }) => operation === 'includeProduct' && status === 200);
  const body = good?.body as Record<string, unknown>;
  const { versao: _, ...less } = body;
  const wrong = [{ ...body, more: 1 }, less, { ...body, codigo: 'um' }];
  const told = await read(wrong.map((one) => ({ operation: 'includeProduct', status: 200, body: one })));
  expect(told).toEqual([
    expect.stringContaining('unknown field "more"'),
    'includeProduct 200 /versao is missing',
    expect.stringContaining('cannot unmarshal string'),
    'end',
  ]);
});
