/** A full disk refuses writes; all other work continues (scripts/fault fills a real one). */
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import { Writer } from '../src/db/writer.ts';
import { DomainError } from '../src/errors.ts';
import { type TestApp, openApp } from './support/app.ts';

let server: TestApp;

beforeEach(async () => {
  server = await openApp({ demo: true });
});

afterEach(() => server.close());

test.each(['especificacao', 'portal'])(
  'a server of the profile %s starts on it, and reads',
  async (perfil) => {
    const { folder } = server;
    await server.close({ keepFolder: true });
    const refused = new DomainError('unavailable', 'O disco está cheio.');
    const write = spyOn(Writer.prototype, 'write').mockRejectedValue(refused);
    try {
      server = await openApp({ folder, settings: { perfil } });
      expect(write).toHaveBeenCalled();
      const demo = await server.as('demo');
      const list = await demo.call('GET', '/catp/api/ext/produto?cpfCnpjRaiz=12345678');
      expect([list.status, (list.json as unknown[]).length > 0]).toEqual([200, true]);
    } finally {
      write.mockRestore();
    }
  },
);
