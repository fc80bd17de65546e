/** Uma instância para os testes de um arquivo, ou de um `describe`; cada teste começa do mesmo estado. */
import { createHash } from 'node:crypto';
import { after, before, beforeEach } from 'node:test';
import { chaosOf, start } from './index.mjs';

const PREPARED = 'preparado';

/** Cada teste tem o seu sorteio, que não depende de quais outros rodam; o que o prepara não é sorteado. */
const drawnFor = (name, { seed, set }) => ({
  chaos: { seed: createHash('sha256').update(`${seed} ${name}`).digest('hex').slice(0, 16), set },
});

export function fixture({ prepare, ...options } = {}) {
  const chaos = chaosOf(options.chaos);
  let instance;
  before(async () => {
    instance = await start({ ...options, chaos: false });
    await prepare?.(instance);
    await instance.snapshot(PREPARED);
  });
  beforeEach(async ({ name }) => {
    await instance.restore(PREPARED);
    if (chaos) await instance.admin('POST', '/faults', drawnFor(name, chaos));
  });
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
