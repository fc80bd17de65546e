/** Refusals of the operations on versions for any product (contract sections 2, 3 and 6). */
import { describe, expect, test } from 'bun:test';
import {
  COMPANY,
  MINIMAL,
  OF_COMPANY,
  PATH,
  include,
  pathsOf,
  productsForAllTests,
  succeed,
} from './support.ts';

const DEACTIVATE = `${PATH}/desativar/${COMPANY}`;

describe('refused callers and malformed requests', () => {
  const open = productsForAllTests();
  const OPERATIONS: readonly (readonly [string, (codigo: string) => string, string])[] = [
    ['PUT', (codigo) => `${OF_COMPANY}/${codigo}`, 'a new version'],
    ['PUT', (codigo) => `${OF_COMPANY}/${codigo}/1`, 'a rectification'],
    ['GET', (codigo) => `${OF_COMPANY}/${codigo}/1`, 'a detail'],
    ['PUT', (codigo) => `${DEACTIVATE}/${codigo}`, 'a deactivation'],
  ];

  test.each(OPERATIONS)(
    '%s %p: a user without the company does not learn whether a product exists',
    async (method, pathOf) => {
      const { server, demo } = open();
      const { codigo } = await include(demo);
      const stranger = await server.as('estranho');
      const body = method === 'PUT' ? MINIMAL : undefined;
      const answers = await Promise.all(
        [String(codigo), '9999999999', '0'].map((one) => stranger.call(method, pathOf(one), body)),
      );
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    },
  );

  test.each(OPERATIONS)('%s %p: a code is 1 to 9999999999', async (method, pathOf) => {
    const { demo } = open();
    const body = method === 'PUT' ? MINIMAL : undefined;
    const status = async (codigo: string) => (await demo.call(method, pathOf(codigo), body)).status;
    expect(await status('9999999999')).toBe(404);
    for (const wrong of ['0', '0000000000', '10000000000', '-1', '1.0', '1e3', 'x', '%31x', '+1'])
      expect([wrong, await status(wrong)]).toEqual([wrong, 400]);
  });

  test.each(OPERATIONS)('%s %p: leading zeros of a code are ignored', async (method, pathOf) => {
    const { demo } = open();
    const { codigo } = await include(demo);
    const reply = await demo.call(
      method,
      pathOf(String(codigo).padStart(10, '0')),
      method === 'PUT' ? MINIMAL : undefined,
    );
    expect(succeed(reply).codigo).toBe(codigo);
  });

  test.each(['0', '01', '1.0', '1.01', '1.', '.1', '1.1.1', '-1', 'v1', '123456789', '1234.5678', '%00'])(
    'the version %s is malformed',
    async (versao) => {
      const { demo } = open();
      for (const method of ['GET', 'PUT']) {
        const reply = await demo.call(
          method,
          `${OF_COMPANY}/1/${versao}`,
          method === 'PUT' ? MINIMAL : undefined,
        );
        expect([reply.status, pathsOf(reply)]).toEqual([400, ['versao']]);
      }
    },
  );

  test.each(['12345678', '123.4567', '2', '1.1'])('the version %s does not exist', async (versao) => {
    const { demo } = open();
    const { codigo } = await include(demo);
    for (const method of ['GET', 'PUT']) {
      const reply = await demo.call(
        method,
        `${OF_COMPANY}/${codigo}/${versao}`,
        method === 'PUT' ? MINIMAL : undefined,
      );
      expect([reply.status, reply.json.code]).toEqual([404, 'CATP-ER0404']);
    }
  });

  test('every problem of path and body is reported at once', async () => {
    const reply = await open().demo.call('PUT', `${OF_COMPANY}/0/01`, { ...MINIMAL, ncm: '1' });
    expect([reply.status, pathsOf(reply)]).toEqual([400, ['codigo', 'versao', '/ncm']]);
  });

  test('the product of another company is not found', async () => {
    const { demo } = open();
    const { codigo } = await include(demo);
    expect((await demo.call('GET', `${PATH}/87654321/${codigo}/1`)).status).toBe(404);
  });
});
