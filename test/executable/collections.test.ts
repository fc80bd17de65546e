/** The scripts of the client guide for Postman and Bruno, run by the programs of their makers. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toEnd } from '../../scripts/proof/to-end.ts';
import type { RunningCatp } from '../support/executable.ts';
import { ROOT } from '../support/sources.ts';
import { type Sandbox, openSandbox } from './support.ts';

/** The folder in which `scripts/test --all` installs the runners, which require Node.js. */
const TOOLS = join(ROOT, '.tools/clients/node_modules/.bin');
const canSend = existsSync(join(TOOLS, 'newman')) && Bun.which('node') !== null;
if (!canSend) console.warn('SKIPPED: no newman, Bruno or Node.js; their scripts are NOT run');

const page = readFileSync(join(ROOT, 'src/docs/pages/clientes.md'), 'utf8');
const [postmanBefore = '', postmanAfter = '', brunoBefore = '', brunoAfter = ''] = [
  ...page.matchAll(/```js\n(.*?)```/gs),
].map(([, code]) => code);

const LIST = '/catp/api/ext/produto?cpfCnpjRaiz=12345678';
const postman = (name: string) => ({
  name,
  request: { method: 'GET', url: `{{baseUrl}}${LIST}` },
});
const postmanScript = (listen: string, code: string) => ({
  listen,
  script: { type: 'text/javascript', exec: code.split('\n') },
});

const indented = (code: string): string => code.replaceAll(/^/gm, '  ').trimEnd();

describe.skipIf(!canSend)('a collection with the scripts of the guide signs in automatically', () => {
  let sandbox: Sandbox;
  let catp: RunningCatp;
  beforeAll(async () => {
    sandbox = await openSandbox();
    catp = await sandbox.start('dev', '--port', '0', '--data', 'dev');
    const write = (name: string, text: string) => Bun.write(join(sandbox.folder, name), text);
    const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
    await write(
      'postman.json',
      JSON.stringify({
        info: { name: 'catp', schema },
        item: [postman('one'), postman('two')],
        event: [postmanScript('prerequest', postmanBefore), postmanScript('test', postmanAfter)],
      }),
    );
    await write('bruno/bruno.json', JSON.stringify({ version: '1', name: 'catp', type: 'collection' }));
    const scripts = `script:pre-request {\n${indented(brunoBefore)}\n}\n\nscript:post-response {\n${indented(brunoAfter)}\n}\n`;
    await write('bruno/collection.bru', scripts);
    await write(
      'bruno/environments/catp.bru',
      `vars {\n  baseUrl: ${catp.url}\n  clientId: demo\n  clientSecret: demo\n}\n`,
    );
    for (const [at, name] of ['one', 'two'].entries())
      await write(
        `bruno/${name}.bru`,
        `meta {\n  name: ${name}\n  type: http\n  seq: ${at + 1}\n}\n\nget {\n  url: {{baseUrl}}${LIST}\n  body: none\n  auth: none\n}\n`,
      );
  });
  afterAll(() => sandbox.close());

  async function runCollection(folder: string, tool: string, ...words: readonly string[]): Promise<string> {
    const { out, err } = await toEnd(['node', join(TOOLS, tool), 'run', ...words], { cwd: folder });
    return out + err;
  }
  /** Sends both requests with this secret. Returns the statuses with the output. */
  const SEND = {
    Postman: async (clientSecret: string) => {
      const values = ['baseUrl', catp.url, 'clientId', 'demo', 'clientSecret', clientSecret];
      const variables = values.flatMap((value, index) =>
        index % 2 === 0 ? ['--env-var', `${value}=${values[index + 1]}`] : [],
      );
      const output = await runCollection(
        sandbox.folder,
        'newman',
        'postman.json',
        '--color',
        'off',
        ...variables,
      );
      return { output, statuses: [...output.matchAll(/ \[(\d{3}) /g)].map(([, status]) => status) };
    },
    Bruno: async (clientSecret: string) => {
      const words = ['--env', 'catp', '--env-var', `clientSecret=${clientSecret}`, '--sandbox', 'safe'];
      const output = await runCollection(join(sandbox.folder, 'bruno'), 'bru', ...words);
      return { output, statuses: [...output.matchAll(/^\S+ \((\d{3}) /gm)].map(([, status]) => status) };
    },
  };

  test('Postman signs in once for both requests', async () => {
    expect(await SEND.Postman('demo')).toMatchObject({ statuses: ['200', '200', '200'] });
  });

  test('Bruno', async () => {
    expect(await SEND.Bruno('demo')).toMatchObject({ statuses: ['200', '200'] });
  });

  test.each([
    ['Postman', 'Não foi possível entrar: Não foi possível efetuar a autenticação com chave de acesso'],
    ['Bruno', 'Não foi possível entrar; confira clientId e clientSecret: '],
  ] as const)('%s reports that it cannot sign in', async (name, refusal) => {
    expect((await SEND[name]('errado')).output).toContain(refusal);
  });
});
