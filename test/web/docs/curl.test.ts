/** A real shell runs the command of "copiar", with `printf` in place of curl. */
import { describe, expect, test } from 'bun:test';
import { curlOf } from '../../../src/web/docs/curl.ts';
import { initialValues, requestOf } from '../../../src/web/docs/request.ts';
import {
  entriesOf,
  type Document,
  type ListedOperation,
} from '../../../src/web/serving/reference/document.ts';
import { trialOf } from '../../../src/web/serving/reference/trial.ts';

const ORIGIN = 'http://127.0.0.1:8080';
const TRICKY = { denominacao: `d'água "10%" $HOME \`x\` \\n`, ncm: '73181500' };

const document: Document = {
  info: { title: 'T', version: '1' },
  paths: {
    '/catp/api/ext/produto/{cpfCnpjRaiz}': {
      post: {
        operationId: 'include',
        security: [{}],
        parameters: [
          { name: 'cpfCnpjRaiz', in: 'path', required: true, schema: { example: '1/2' } },
          { name: 'ncm', in: 'query', required: true, schema: { example: 'a b&c' } },
          { name: 'codigo', in: 'query', schema: { type: 'integer' } },
          { name: 'Role-Type', in: 'header', required: true, schema: { enum: ['IMPEXP'] } },
        ],
        requestBody: { content: { 'application/json': { example: TRICKY } } },
        responses: {},
      },
      put: {
        operationId: 'replace',
        requestBody: {
          content: { 'multipart/form-data': { example: { file: 'x', tipo: 'produto', simular: true } } },
        },
        responses: {},
      },
    },
  },
};

async function argumentsOf(at: number): Promise<readonly string[]> {
  const entry = entriesOf(document)[at] as ListedOperation;
  const trial = trialOf(document, entry);
  const request = requestOf(trial, initialValues(trial, {}));
  const command = curlOf(request, ORIGIN).replace(/^curl/, `printf '%s\\n'`);
  const shell = Bun.spawn(['bash', '-c', `TOKEN=t; CSRF=c; ${command}`], {
    stdout: 'pipe',
    stderr: 'inherit',
  });
  return (await new Response(shell.stdout).text()).trimEnd().split('\n');
}

describe('a copied curl', () => {
  test('sends a body that starts with @ unchanged, never a file of that name', async () => {
    const [entry] = entriesOf(document) as [ListedOperation];
    const trial = trialOf(document, entry);
    const values = { ...initialValues(trial, {}), body: '@/etc/hostname' };
    expect(curlOf(requestOf(trial, values), ORIGIN)).toEndWith(`--data-raw '@/etc/hostname'`);
  });

  test('survives the shell unchanged, quotes and dollars included', async () => {
    expect(await argumentsOf(0)).toEqual([
      '-s',
      '-X',
      'POST',
      `${ORIGIN}/catp/api/ext/produto/1%2F2?ncm=a%20b%26c`,
      '-H',
      'Role-Type: IMPEXP',
      '-H',
      'Authorization: t',
      '-H',
      'X-CSRF-Token: c',
      '-H',
      'Content-Type: application/json',
      '--data-raw',
      ...JSON.stringify(TRICKY, null, 2).split('\n'),
    ]);
  });

  test('sends a file as a part of its form', async () => {
    const words = await argumentsOf(1);
    expect(words.slice(4)).toEqual(['-F', 'file=@arquivo.json', '-F', 'tipo=produto', '-F', 'simular=true']);
  });
});
