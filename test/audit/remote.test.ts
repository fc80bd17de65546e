/**
 * The audit of remotes (contract section 16): changes of a remote, and the comparison, pair or run they
 * belong to.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { compare } from '../remote/support.ts';
import { ADMIN, type Audited, COMPANY, DEMO, PRODUCT, REQUEST, done, openAudited } from './support.ts';

const REMOTES = '/appliance/api/remotes';
const WAY = { url: 'https://portal.exemplo.com.br', clientId: 'catp', clientSecret: 'oculta-1' };
const IS_WITH_WAY = {
  companies: COMPANY,
  rules: 'portal',
  url: WAY.url,
  perfil: 'IMPEXP',
  clientId: 'catp',
  perHour: 900,
  otherEnvironment: false,
};

let at: Audited;
beforeEach(async () => {
  at = await openAudited();
});
afterEach(() => at.server.close());

test('each change of a remote records its members before and after, a secret only as changed', async () => {
  const { admin } = at;
  const changeRemote = (body: object) => done(admin.call('PUT', `${REMOTES}/la`, body));
  const moved = { url: 'https://outro.exemplo.com.br', clientSecret: 'oculta-2' };
  const entries = await at.noted(async () => {
    await done(admin.call('POST', REMOTES, { name: 'la', companies: [COMPANY], ...WAY }));
    await changeRemote(moved);
    await changeRemote({ perHour: 60, downtime: '01:00-03:00' });
    await changeRemote({ clientSecret: 'oculta-3' });
    await changeRemote({ clientSecret: 'oculta-3', rules: 'especificacao' });
    await done(admin.call('DELETE', `${REMOTES}/la`));
  });
  const by = (action: string) => [ADMIN, 'api', action, 'remoto la'] as const;
  expect(entries).toEqual([
    [...by('INCLUSAO'), null, { ...IS_WITH_WAY, clientSecret: 'mudado' }],
    [...by('ALTERACAO'), { url: WAY.url }, { url: moved.url, clientSecret: 'mudado' }],
    [...by('ALTERACAO'), { perHour: 900, downtime: null }, { perHour: 60, downtime: '01:00-03:00' }],
    [...by('ALTERACAO'), {}, { clientSecret: 'mudado' }],
    [...by('ALTERACAO'), { rules: 'portal' }, { rules: 'especificacao' }],
    [
      ...by('EXCLUSAO'),
      {
        ...IS_WITH_WAY,
        url: moved.url,
        perHour: 60,
        downtime: '01:00-03:00',
        rules: 'especificacao',
      },
      null,
    ],
  ]);
  expect(JSON.stringify(await at.page('?limit=1000'))).not.toContain('oculta');
});

test('a comparison, a pair and every step of a run record their company, number and direction', async () => {
  const { admin, demo, server } = at;
  await done(admin.call('POST', REMOTES, { name: 'la', companies: [COMPANY], ...WAY }));
  await done(demo.call('POST', PRODUCT, { ...REQUEST, codigosInterno: ['A'] }));
  const remote = { seq: 1, codigo: 7, cpfCnpjRaiz: COMPANY, situacao: 'Ativado', versao: '1', ...REQUEST };
  let run = 0;
  const entries = await at.noted(async () => {
    const { id } = await compare(server, demo, { produtos: [remote] }, {}, 'la');
    const pair = { kind: 'produto', codigo: '1', remoteCodigo: '7', keep: 'here' };
    await done(demo.call('POST', `/appliance/api/comparisons/${id}/pairs`, pair));
    const order = { direction: 'send', simulate: true };
    run = (await done(demo.call('POST', `/appliance/api/comparisons/${id}/runs`, order))).json.id;
    await done(demo.call('DELETE', `/appliance/api/runs/${run}`));
  });
  const company = { cpfCnpjRaiz: COMPANY };
  const by = (action: string) => [DEMO, 'api', action, 'remoto la', null] as const;
  expect(entries).toEqual([
    [...by('COMPARACAO'), { ...company, id: 1 }],
    [...by('PAREAMENTO'), { ...company, id: 1 }],
    [...by('ENVIO'), { ...company, id: run, direction: 'send' }],
    [...by('CANCELAMENTO'), { ...company, id: run, direction: 'send' }],
  ]);
  const { items } = await at.page('?subject=remoto%20la&limit=4');
  expect(items.map(({ key }) => key)).toEqual(['demo', 'demo', 'demo', 'demo']);
});
