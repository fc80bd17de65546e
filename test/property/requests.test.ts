/**
 * Properties for any request to any operation: never a 5xx, every refusal in the form of the contract and
 * without a write, every success in the documented form. Requests are generated from the operations' own
 * schemas.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandsFor } from '../../src/cli/commands.ts';
import { type App, createApp } from '../../src/assembly/app.ts';
import { TestClock, monotonicMs } from '../../src/clock.ts';
import { readSettings } from '../../src/settings/config.ts';
import { seedDevelopment } from '../../src/demo/seed.ts';
import { openFolder } from '../../src/db/folder.ts';
import type { Operation } from '../../src/http/operation.ts';
import type { Caller } from '../../src/session/model.ts';
import { faultsOf, mnemonicOf } from '../contract/error-body.ts';
import { misfits } from '../contract/conforms.ts';
import { type Reply, START } from '../support/app.ts';
import { type SampleRequest, requestsOf } from './requests.ts';
import { silentLog } from '../../src/log/log.ts';

const REQUESTS_PER_RUN = 20_000;
const RUN_MAX_MS = 120_000;

/** Operations that would break the other ones, and an endless stream; each has its own tests. */
const APART = new Set(['reset', 'moveClock', 'addFault', 'followRequests', 'endSession']);

const folder = mkdtempSync(join(tmpdir(), 'catp-property-'));
const clock = new TestClock(START);
let app: App;
let tokens: Record<string, Record<string, string>>;

// Never started: no delivery and no job writes while a refusal is checked.
beforeAll(async () => {
  app = await createApp({
    folder: openFolder(folder),
    settings: readSettings({ environment: {}, commandLine: [] }),
    clock,
    mode: 'dev',
    stopwatch: monotonicMs,
    log: silentLog(),
    commands: () => commandsFor(undefined),
    open: { synchronous: 'NORMAL' },
  });
  await seedDevelopment(app.core, { empty: true });
  tokens = { demo: await signIn('demo'), estranho: await signIn('estranho'), admin: await signIn('admin') };
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

async function signIn(key: string): Promise<Record<string, string>> {
  const headers = { 'client-id': key, 'client-secret': key, 'role-type': 'IMPEXP' };
  const answer = await app.fetch(
    new Request('http://catp.test/portal/api/autenticar/chave-acesso', { method: 'POST', headers }),
  );
  return {
    authorization: answer.headers.get('set-token') ?? '',
    'x-csrf-token': answer.headers.get('x-csrf-token') ?? '',
  };
}

const callerOf = ({ access }: Operation<Caller>, { who }: SampleRequest): string => {
  if (who === 'nobody') return '';
  if (access === 'administrator') return who === 'right' ? 'admin' : 'demo';
  return who === 'right' ? 'demo' : 'estranho';
};

async function send(operation: Operation<Caller>, sample: SampleRequest): Promise<Reply> {
  const headers = { ...sample.headers, ...tokens[callerOf(operation, sample)] };
  const { method, path, body } = sample;
  const request = new Request(`http://catp.test${path}`, {
    method,
    headers,
    ...(body !== undefined && { body }),
  });
  const response = await app.fetch(request);
  const bytes = await response.bytes();
  const text = new TextDecoder().decode(bytes);
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    text,
    json: isJson(response) && text !== '' ? JSON.parse(text) : undefined,
  };
}

const isJson = ({ headers, status }: Response): boolean =>
  status !== 204 && headers.get('content-type')?.startsWith('application/json') === true;

/**
 * Returns whether a request ends the session by another method on its address: every later answer would be
 * 401.
 */
const endsSession = ({ method, path }: SampleRequest): boolean =>
  method === 'DELETE' && /^\/+appliance\/+api\/+session\/?(?:\?|$)/.test(path);

const rowsChanged = (): number =>
  app.core.db.prepare<[], number>('SELECT total_changes()').pluck().get() ?? 0;

/** Returns the broken promises of an answer. */
function brokenPromises(
  operation: Operation<Caller>,
  sample: SampleRequest,
  reply: Reply,
  written: number,
): string[] {
  const { status } = reply;
  if (status >= 500) return [`${status} ${reply.text}`];
  if (status >= 300) {
    const mnemonico = mnemonicOf(new URL(`http://catp.test${sample.path}`).pathname);
    return [
      ...(sample.method === 'HEAD' ? [] : faultsOf(reply, { status, mnemonico })),
      ...(written > 0 ? [`a refusal wrote ${written} rows`] : []),
    ];
  }
  if (sample.method !== operation.method || reply.text === '') return [];
  if (operation.produces !== 'application/json') return [];
  return reachesOperation(operation, sample) ? misfits(operation.success as never, reply.json) : [];
}

/** Returns whether the request reaches this operation: a changed path may lead to another one. */
function reachesOperation({ path }: Operation<Caller>, sample: SampleRequest): boolean {
  const [pattern, steps] = [path.split('/'), new URL(`http://catp.test${sample.path}`).pathname.split('/')];
  return (
    pattern.length === steps.length &&
    pattern.every((step, index) => (step.startsWith(':') ? steps[index] !== '' : step === steps[index]))
  );
}

describe('an operation keeps its promises for any request:', async () => {
  const operations = await operationsOf();
  const each = Math.ceil(REQUESTS_PER_RUN / operations.length);
  const statuses = new Map<number, number>();

  for (const { id } of operations)
    test(
      id,
      async () => {
        const operation = (await app.operations()).find((one) => one.id === id) as Operation<Caller>;
        const keepsPromises = fc.asyncProperty(requestsOf(operation), async (sample) => {
          fc.pre(!endsSession(sample)); // another one takes its place in the count
          await app.core.imports.runner.idle(); // a job that an earlier request started writes too
          const before = rowsChanged();
          const reply = await send(operation, sample);
          statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
          const faults = brokenPromises(operation, sample, reply, rowsChanged() - before);
          if (faults.length > 0) throw new Error(`${faults.join('; ')}\n  for ${shortenedText(sample)}`);
        });
        const outcome = await fc.check(keepsPromises, { numRuns: each, endOnFailure: true });
        expect([outcome.seed, outcome.errorInstance]).toEqual([outcome.seed, null]);
      },
      RUN_MAX_MS,
    );

  test(`all operations together get at least ${REQUESTS_PER_RUN} requests, many of them valid ones`, () => {
    const total = [...statuses.values()].reduce((sum, count) => sum + count, 0);
    expect(total).toBeGreaterThanOrEqual(REQUESTS_PER_RUN);
    for (const status of [200, 400, 401, 403, 404, 405, 422])
      expect([status, (statuses.get(status) ?? 0) > 50]).toEqual([status, true]);
  });
});

const LONGEST_TOLD = 600;

/** Shortens the request for the report: some bodies have 200 000 brackets. */
const shortenedText = ({ body, ...sample }: SampleRequest): string =>
  JSON.stringify({
    ...sample,
    body: typeof body === 'string' ? body.slice(0, LONGEST_TOLD) : [...(body ?? [])],
  }).slice(0, 2 * LONGEST_TOLD);

/**
 * Returns the operations. The list does not depend on the data folder; a separate app provides it before the
 * tests are named.
 */
async function operationsOf(): Promise<readonly Operation<Caller>[]> {
  const place = mkdtempSync(join(tmpdir(), 'catp-property-'));
  const settings = readSettings({ environment: {}, commandLine: [] });
  const first = await createApp({
    folder: openFolder(place),
    settings,
    clock,
    mode: 'dev',
    stopwatch: monotonicMs,
    log: silentLog(),
    commands: () => commandsFor(undefined),
  });
  const operations = (await first.operations()).filter(({ id }) => !APART.has(id));
  await first.close();
  rmSync(place, { recursive: true, force: true });
  return operations;
}
