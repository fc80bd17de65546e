/** The collections of requests for Postman and Bruno, sent by the programs of their makers to the executable. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { toEnd } from '../../scripts/proof/to-end.ts';
import type { RunningCatp } from '../support/executable.ts';
import { ROOT } from '../support/sources.ts';
import { refusalOf, said } from './outcome.ts';
import { type Alone, openAlone } from './support.ts';

setDefaultTimeout(90_000);

/** Where scripts/test --all installs them; they need Node.js. */
const TOOLS = join(ROOT, '.tools/clients/node_modules/.bin');
const canSend = existsSync(join(TOOLS, 'newman')) && Bun.which('node') !== null;
if (!canSend) console.warn('ATENÇÃO: sem newman, Bruno ou Node.js; as coleções NÃO foram executadas.');

const POSTMAN = '/docs/colecoes/catp.postman_collection.json';
const BRUNO = '/docs/colecoes/catp-bruno.zip';

interface PostmanItem {
  readonly name: string;
  readonly item: readonly { readonly name: string; readonly request: { readonly method: string } }[];
}
interface Postman {
  readonly info: { readonly schema: string };
  readonly item: readonly PostmanItem[];
  readonly variable: readonly { readonly key: string; readonly value: string }[];
}

let alone: Alone;
let catp: RunningCatp;
beforeAll(async () => {
  alone = await openAlone();
  catp = await alone.start('dev', '--port', '0', '--data', 'dev');
});
afterAll(() => alone.close());

const served = async (path: string): Promise<Uint8Array> => (await fetch(`${catp.url}${path}`)).bytes();
const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
const valuesOf = ({ variable }: Postman) =>
  Object.fromEntries(variable.map(({ key, value }) => [key, value]));

describe('what is handed out', () => {
  test('has a folder for each section of the document, and in it its operations', async () => {
    const document = (await (await fetch(`${catp.url}/openapi.json`)).json()) as {
      tags: { name: string }[];
      paths: Record<string, Record<string, { tags: string[]; summary: string }>>;
    };
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const wanted = document.tags.map(({ name }) => [
      name,
      operations.filter(({ tags }) => tags.includes(name)).map(({ summary }) => summary),
    ]);
    const { item } = JSON.parse(textOf(await served(POSTMAN))) as Postman;
    expect(item.map((folder) => [folder.name, folder.item.map(({ name }) => name)])).toEqual(wanted);
    const files = Object.keys(unzipSync(await served(BRUNO)));
    expect(files.filter((path) => /\/[^/]+\/\w+\.bru$/.test(path))).toHaveLength(
      operations.length + wanted.length + 1, // a page for each folder, and the environment
    );
  });

  test('speaks to the server that it came from, in dev as the user that everybody knows', async () => {
    const values = { baseUrl: catp.url, clientId: 'demo', clientSecret: 'demo', empresa: '12345678' };
    expect(valuesOf(JSON.parse(textOf(await served(POSTMAN))) as Postman)).toMatchObject(values);
    const environment = textOf(unzipSync(await served(BRUNO))['catp-bruno/environments/catp.bru']);
    for (const [name, value] of Object.entries(values)) expect(environment).toContain(`${name}: ${value}\n`);
  });

  test('of serve knows nobody: Bruno is to ask for the secret and keep it out of the files', () => {
    const collection = JSON.parse(said(alone.run(['openapi', '--collection', 'postman']))) as Postman;
    expect(valuesOf(collection)).toMatchObject({ clientId: '', clientSecret: '', empresa: '' });
    expect(said(alone.run(['openapi', '--collection', 'bruno', '--to', 'bruno.zip']))).toBe('');
    const files = unzipSync(readFileSync(join(alone.folder, 'bruno.zip')));
    expect(textOf(files['catp-bruno/environments/catp.bru'])).toContain('vars:secret [\n  clientSecret\n]');
    expect(collection.item.map(({ name }) => name)).not.toContain('Desenvolvimento');
  });

  test('is of a format that there is', () => {
    expect(refusalOf(alone, ['openapi', '--collection', 'insomnia'], 2)).toContain('aceita postman, bruno');
  });
});

/** What the examples of a folder cannot do one after the other on one instance, and why. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  // By then the draft of the example is another one: others were included before it.
  Produtos: ['422'],
  // The batch before it has included the same operator.
  'Operadores estrangeiros': ['422'],
};
const BORN_WITH: Readonly<Record<string, readonly string[]>> = {
  // The first operator is that of the examples, and not one of the demonstration.
  'Operadores estrangeiros': ['--empty'],
};
const FOLDERS = [
  'Produtos',
  'Operadores estrangeiros',
  'Vínculos de fabricantes e produtores',
  'Assinaturas de eventos',
] as const;

/** How many requests a folder has: the test above holds them to the document. */
async function countIn(folder: string): Promise<number> {
  const { item } = JSON.parse(textOf(await served(POSTMAN))) as Postman;
  return item.find(({ name }) => name === folder)?.item.length ?? 0;
}

describe.skipIf(!canSend)(
  'sent by its maker’s program, each folder signs in by itself and is understood:',
  () => {
    beforeAll(async () => {
      writeFileSync(join(alone.folder, 'catp.json'), await served(POSTMAN));
      for (const [path, bytes] of Object.entries(unzipSync(await served(BRUNO))))
        await Bun.write(join(alone.folder, path), bytes);
    });

    async function sent(tool: string, words: readonly string[], folder = alone.folder): Promise<string> {
      const { out, err } = await toEnd(['node', join(TOOLS, tool), 'run', ...words], { cwd: folder });
      return out + err;
    }

    test.each(FOLDERS)('Postman, %s', async (name) => {
      const fresh = await freshInstance(...(BORN_WITH[name] ?? []));
      const output = await sent('newman', [
        ...['catp.json', '--folder', name, '--color', 'off'],
        ...['--env-var', `baseUrl=${fresh.url}`],
      ]);
      const statuses = [...output.matchAll(/ \[(\d{3}) /g)].map(([, status]) => status);
      // The first one is the signing in.
      expect([statuses.length, output]).toEqual([(await countIn(name)) + 1, expect.any(String)]);
      expect(statuses.filter((status) => status?.startsWith('2') !== true)).toEqual([
        ...(REFUSED[name] ?? []),
      ]);
      expect(await fresh.stop()).toBe(0);
    });

    test.each([
      ['produtos', 'safe', 'Produtos'],
      ['vinculos-de-fabricantes-e-produtores', 'developer', 'Vínculos de fabricantes e produtores'],
    ] as const)('Bruno, %s, in its %s sandbox', async (name, sandbox, folder) => {
      const fresh = await freshInstance();
      const output = await sent(
        'bru',
        [name, '--env', 'catp', '--env-var', `baseUrl=${fresh.url}`, '--sandbox', sandbox],
        join(alone.folder, 'catp-bruno'),
      );
      const statuses = [...output.matchAll(/^\S+ \((\d{3}) /gm)].map(([, status]) => status);
      expect([statuses.length, output]).toEqual([await countIn(folder), expect.any(String)]);
      expect(statuses.filter((status) => status?.startsWith('2') !== true)).toEqual([
        ...(REFUSED[folder] ?? []),
      ]);
      expect(await fresh.stop()).toBe(0);
    });

    test('a wrong secret is told by the script, in both', async () => {
      const wrong = ['--env-var', 'clientSecret=errado'];
      const postman = await sent('newman', ['catp.json', '--folder', 'Eventos', '--color', 'off', ...wrong]);
      expect(postman).toContain('confira clientId e clientSecret');
      const bruno = join(alone.folder, 'catp-bruno');
      expect(await sent('bru', ['eventos/listEvents.bru', '--env', 'catp', ...wrong], bruno)).toContain(
        'confira clientId e clientSecret',
      );
    });

    let instances = 0;
    const freshInstance = (...flags: readonly string[]): Promise<RunningCatp> =>
      alone.start('dev', '--port', '0', '--data', `dev-${(instances += 1)}`, ...flags);
  },
);
