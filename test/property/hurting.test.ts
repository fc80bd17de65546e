/**
 * No body blocks the event loop for longer than its size explains. Each operation receives texts made to be
 * slow; the limit per KiB is some hundred times the time on a slow machine.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { monotonicMs } from '../../src/clock.ts';
import type { Operation } from '../../src/http/operation.ts';
import type { Caller } from '../../src/session/model.ts';
import { type Client, type TestApp, openApp } from '../support/app.ts';

const BODY_KIB = 64;
const BODY_BYTES = BODY_KIB * 1024;
const MS_PER_KIB_MAX = 20;
/** Time limit of a request of any size, on a busy machine. */
const BASE_MS = 500;
const TEST_MAX_MS = 120_000;

/** Repeats a piece as often as fits. */
const run = (piece: string): string => piece.repeat(Math.floor(BODY_BYTES / piece.length));
const members = (prefix: string): string =>
  Array.from({ length: BODY_BYTES / 16 }, (_, index) => `"${prefix}${index}":1`).join(',');

/** Each text contains a member's name, because the check may depend on it. */
const HURTING: Readonly<Record<string, (name: string) => string>> = {
  'spaces before a text': (name) => `{"${name}":${run(' ')}"1"}`,
  'spaces in a list': (name) => `{"${name}":[${run(' ')}"1"]}`,
  'line ends and no end': (name) => `{"${name}":${run('\n')}`,
  'one name again and again': (name) => `{${run(`"${name}":1,`)}"a":1}`,
  'many names': (name) => `{${members(name)}}`,
  'a long number': (name) => `{"${name}":${run('1')}}`,
  'a long fraction': (name) => `{"${name}":0.${run('0')}1}`,
  'many numbers': (name) => `{"${name}":[${run('1.10,')}1]}`,
  'digits and points, no number': (name) => `{"${name}":${run('1.0')}}`,
  escapes: (name) => `{"${name}":"${run('\\\\')}"}`,
  'escapes of units': (name) => `{"${name}":"${run('\\u0061')}"}`,
  'quotation marks': (name) => `{"${name}":${run('"')}`,
  'slashes and at signs': (name) => `{"${name}":"https://${run('a@')}"}`,
  'a long text': (name) => `{"${name}":"${run('a')}"}`,
  'open lists': (name) => `{"${name}":${run('[')}`,
  'open objects': (name) => `{"${name}":${run('{"a":')}`,
  'lists side by side': (name) => `{"${name}":[${run('[],')}[]]}`,
  'many items': (name) => `[${run(`{"${name}":"1"},`)}{}]`,
  'a long unknown name': () => `{"${run('a')}":1}`,
  'a long word': (name) => `{"${name}":${run('x')}}`,
  'a long comment': () => `/*${run('*')}`,
};

let server: TestApp;
let clients: Record<'demo' | 'admin', Client>;

beforeAll(async () => {
  server = await openApp();
  clients = { demo: await server.as('demo'), admin: await server.as('admin') };
});
afterAll(() => server.close());

/** Returns the names in the operation's own schema, and those of attribute values. */
function namesOf({ body }: Operation<Caller>): readonly string[] {
  const form = body?.['type'] === 'array' ? body['items'] : body;
  const names = Object.keys((form?.['properties'] as object | undefined) ?? {});
  return ['valor', 'valores', ...names.slice(0, 2)];
}

/** Operations that would break the other ones, and those that read no body and depend on the disk. */
const APART = new Set(['reset', 'moveClock', 'endSession', 'makeBackup']);

describe('a body that is made slow is answered in time by', () => {
  test(
    'every operation',
    async () => {
      const slow: unknown[] = [];
      let requests = 0;
      for (const operation of await server.app.operations()) {
        if (operation.method === 'GET' || APART.has(operation.id)) continue;
        const path = operation.path.replaceAll(/:[a-zA-Z]+/g, (step) =>
          /raiz/i.test(step) ? '12345678' : '1',
        );
        const client = operation.access === 'administrator' ? clients.admin : clients.demo;
        const [type = 'application/json'] = operation.accepts;
        for (const [what, bodyOf] of Object.entries(HURTING))
          for (const name of namesOf(operation)) {
            const started = monotonicMs();
            const { status } = await client.call(operation.method, path, bodyOf(name), {
              'content-type': type,
            });
            const ms = monotonicMs() - started;
            requests += 1;
            if (status >= 500 || ms > BASE_MS + MS_PER_KIB_MAX * BODY_KIB)
              slow.push([operation.id, what, name, status, Math.round(ms)]);
          }
      }
      expect(requests).toBeGreaterThan(500);
      expect(slow).toEqual([]);
    },
    TEST_MAX_MS,
  );
});
