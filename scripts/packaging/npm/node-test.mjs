/** Uma instância para os testes de um arquivo, ou de um `describe`; cada teste começa do mesmo estado, e sem as falhas que outro pediu. */
import { createHash } from 'node:crypto';
import { after, before, beforeEach } from 'node:test';
import { chaosOf, start } from './index.mjs';

const PREPARED = 'preparado';

/** Cada teste tem o seu sorteio, que não depende de quais outros rodam; o que o prepara não é sorteado. */
const drawnFor = (name, { seed, set }) => ({
  chaos: { seed: createHash('sha256').update(`${seed} ${name}`).digest('hex').slice(0, 16), set },
});

/** Uma regra de falha, como se pede; de um conjunto decorrem as suas falhas, que não se pedem ao lado dele. */
const askedFor = ({ id, matched, acted, ...rule }) =>
  rule.chaos?.set ? { ...rule, chaos: { ...rule.chaos, kinds: null } } : rule;

export function fixture({ prepare, ...options } = {}) {
  const chaos = chaosOf(options.chaos);
  let instance;
  /** As que `prepare` deixou, ou `--chaos`. */
  let rules;
  before(async () => {
    instance = await start({ ...options, chaos: false });
    await prepare?.(instance);
    await instance.snapshot(PREPARED);
    rules = (await instance.admin('GET', '/faults')).map(askedFor);
  });
  beforeEach(async ({ name }) => {
    await instance.admin('DELETE', '/faults');
    await instance.restore(PREPARED);
    for (const rule of rules) await instance.admin('POST', '/faults', rule);
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
