/** Uma instância para os testes de um arquivo, ou de um `describe`; cada teste começa do mesmo estado. */
import { after, before, beforeEach } from 'node:test';
import { start } from './index.mjs';

const PREPARED = 'preparado';

export function fixture({ prepare, ...options } = {}) {
  let instance;
  before(async () => {
    instance = await start(options);
    await prepare?.(instance);
    await instance.snapshot(PREPARED);
  });
  beforeEach(() => instance.restore(PREPARED));
  after(() => instance?.stop());
  return new Proxy(
    {},
    {
      get(_, name) {
        if (instance === undefined) throw new Error('catp: a instância só existe dentro de um teste.');
        return instance[name];
      },
    },
  );
}
