import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixture } from 'catp/node-test';

const catp = fixture({ empty: true });
const DA_EMPRESA = '/catp/api/ext/produto/12345678';
const PRODUTO = { denominacao: 'Parafuso sextavado', modalidade: 'IMPORTACAO', ncm: '73181500' };

test('inclui um produto', async () => {
  const demo = await catp.signIn('demo');
  const { status, body } = await demo('POST', DA_EMPRESA, PRODUTO);
  assert.deepEqual([status, body.codigo], [200, 1]);
});

test('não lembra o que outro teste incluiu: o código é outra vez o 1', async () => {
  const demo = await catp.signIn('demo');
  assert.equal((await demo('POST', DA_EMPRESA, PRODUTO)).body.codigo, 1);
});

test('recusa uma NCM malformada, e diz onde', async () => {
  const demo = await catp.signIn('demo');
  const { status, body } = await demo('POST', DA_EMPRESA, { ...PRODUTO, ncm: '7318' });
  assert.deepEqual([status, body.detail[0].path], [400, '/ncm']);
});
