/** `catp openapi` prints the document that a server serves at `/openapi.json`. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { refusalOf, outputOf } from './outcome.ts';
import { type Sandbox, openSandbox } from './support.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const printDocument = (...flags: readonly string[]): Document =>
  JSON.parse(outputOf(sandbox.run(['openapi', ...flags]))) as Document;

interface Document {
  readonly paths: Readonly<Record<string, unknown>>;
}

test('prints the document of serve, or with --dev of dev, in either profile, and leaves no file', async () => {
  const documents = {
    serve: printDocument('--data', 'dados'),
    portal: printDocument('--perfil', 'portal'),
    dev: JSON.parse(outputOf(sandbox.run(['openapi', '--dev']))) as Document,
  };
  expect(readdirSync(sandbox.folder)).toEqual([]);
  for (const [mode, flags, document] of [
    ['serve', [], documents.serve],
    ['serve', ['--perfil', 'portal'], documents.portal],
    ['dev', [], documents.dev],
  ] as const) {
    const catp = await sandbox.start(mode, '--port', '0', '--data', `pasta-${mode}`, ...flags);
    const serverDocument: unknown = await (await fetch(`${catp.url}/openapi.json`)).json();
    expect(document).toEqual(serverDocument as Document);
    expect(await catp.stop()).toBe(0);
  }
  expect(documents.portal).not.toEqual(documents.serve);
  expect(Object.keys(documents.serve.paths)).not.toContain('/appliance/api/reset');
});

test('--to writes it completely into a file, and a write error is reported', () => {
  expect(outputOf(sandbox.run(['openapi', '--to', 'catp.json']))).toBe('');
  expect(JSON.parse(readFileSync(join(sandbox.folder, 'catp.json'), 'utf8'))).toEqual(printDocument());
  expect(refusalOf(sandbox, ['openapi', '--to', 'falta/catp.json'])).toContain('--to: falta/catp.json');
});
