/** Operators that keep their codes and versions (contract section 7, `modo=espelho`). */
import { describe, expect, test } from 'bun:test';
import { operatorCodigo, numeroIn, numeroMadeHere } from '../../../src/catalogue/foreign-operator/codigo.ts';
import type { Caller } from '../../../src/session/model.ts';
import { COMPANY, MINIMAL, PATH, include, operatorsForEachTest, startsOf } from './support.ts';

const open = operatorsForEachTest();

const DEMO: Caller = {
  documento: '00000000191',
  nome: 'Demo',
  tipo: 'PRIV',
  orgao: null,
  administrador: false,
  perfil: 'IMPEXP',
  companies: new Map([[COMPANY, 'aprovacao']]),
  key: null,
};

const item = (members: object = {}) => ({
  seq: 1,
  cpfCnpjRaiz: COMPANY,
  codigoPais: 'DE',
  codigo: 'OPE_7',
  versao: '3',
  dataReferencia: '2024-05-01',
  ...MINIMAL,
  ...members,
});

function mirror(sent: object) {
  const { writer, catalogue } = open().server.app.core;
  return writer.write((tx) => catalogue.operator.items.apply(tx, DEMO, sent, 'espelho', { origin: 'file' }));
}

const list = async () =>
  (await open().demo.call('GET', `${PATH}?cpfCnpjRaiz=${COMPANY}&exibirDesativados=true`)).json;

describe('an item is refused', () => {
  test.each([
    ['without a code', { codigo: null }, 'codigo: recebido null'],
    ['without a version', { versao: '' }, 'versao: recebido null'],
    ['with a start after today', { dataReferencia: '2026-01-16' }, 'dataReferencia'],
    ['of an unknown country', { codigoPais: 'XX' }, 'ISO 3166-1'],
    ['of another company', { cpfCnpjRaiz: '11222333' }, 'representante legal'],
  ])('%s', async (_, members, message) => {
    await expect(mirror(item(members))).rejects.toThrow(message);
  });

  test.each([
    ['its version has another content', { nome: 'Outro' }, 'tem outro conteúdo'],
    ['its version is an older one', { versao: '2.5' }, 'já está na versão 3'],
    ['its operator is of another country', { codigoPais: 'FR' }, 'com o país DE'],
    [
      'its family starts on another day',
      { versao: '3.1', dataReferencia: '2024-05-02' },
      'vale desde 2024-05-01',
    ],
  ])('when %s', async (_, members, message) => {
    await mirror(item());
    await expect(mirror(item(members))).rejects.toThrow(message);
  });

  test('when it activates a locally deactivated operator under the same version', async () => {
    await mirror(item({ situacao: 'Desativado' }));
    await expect(mirror(item())).rejects.toThrow('está DESATIVADO, e não ATIVADO');
  });

  test('when its TIN belongs to another active operator', async () => {
    await mirror(item({ tin: 'A' }));
    await expect(mirror(item({ codigo: 'OPE_8', tin: 'A' }))).rejects.toThrow('operador ativo OPE_7');
    const inactive = await mirror(item({ codigo: 'OPE_8', tin: 'A', situacao: 'Desativado' }));
    expect(inactive.outcome).toBe('created');
  });
});

test('a new operator keeps its code, version, status and start of validity', async () => {
  const applied = await mirror(item({ situacao: 'Desativado' }));
  expect(applied).toEqual({ codigo: 'OPE_7', versao: '3', outcome: 'created' });
  expect(await list()).toMatchObject([
    { codigo: 'OPE_7', versao: '3', situacao: 'DESATIVADO', dataReferencia: null },
  ]);
  expect(startsOf(open().server, 'OPE_7')).toEqual(['2024-05-01']);
});

test('codes of another system are not assigned again', async () => {
  await mirror(item());
  expect((await include(open().demo)).codigo).toBe('OPE_8');
});

test('a code far above the others does not move the numbering', async () => {
  await mirror(item({ codigo: 'OPE_1000000' }));
  expect((await include(open().demo)).codigo).toBe('OPE_1000001');
  await mirror(item({ codigo: 'OPE_2000002' }));
  await mirror(item({ codigo: 'OPE_999999999999999' }));
  await mirror(item({ codigo: 'OPE_1000002' }));
  expect((await include(open().demo)).codigo).toBe('OPE_1000003');
});

test('existing codes are skipped', async () => {
  await mirror(item({ codigo: 'OPE_5000000' }));
  await mirror(item({ codigo: 'OPE_5000001' }));
  open().server.app.core.db.exec('UPDATE company SET operator_sequence = 4999999');
  expect((await include(open().demo)).codigo).toBe('OPE_5000002');
});

test('a version that leaves too few numbers is refused; the last one that leaves enough is accepted', async () => {
  const refusal = 'o modo espelho aceita até 98999999';
  await expect(mirror(item({ versao: '99000000' }))).rejects.toThrow(refusal);
  await mirror(item({ versao: '98999999' }));
  await expect(mirror(item({ versao: '99000000' }))).rejects.toThrow(refusal);
  const { json } = await open().demo.call('PUT', `${PATH}/${COMPANY}/DE/OPE_7`, MINIMAL);
  expect(json.versao).toBe('99000000');
});

test('the same item sent again is unchanged', async () => {
  await mirror(item());
  expect((await mirror(item())).outcome).toBe('unchanged');
  expect(await list()).toHaveLength(1);
});

test('a version that the other instance has deactivated is deactivated locally too', async () => {
  await mirror(item());
  expect((await mirror(item({ situacao: 'Desativado' }))).outcome).toBe('newVersion');
  expect(await list()).toMatchObject([{ versao: '3', situacao: 'DESATIVADO' }]);
});

test('later versions are added: a rectification for the validity of its family, a new one for its own', async () => {
  await mirror(item());
  await mirror(item({ versao: '3.1', dataReferencia: null, nome: 'Retificada' }));
  expect(await list()).toMatchObject([{ versao: '3.1', nome: 'Retificada' }]);
  await mirror(item({ versao: '4', dataReferencia: '2025-01-01' }));
  expect(await list()).toMatchObject([{ versao: '4' }]);
  await mirror(item({ versao: '5', dataReferencia: '2023-01-01' }));
  expect(await list()).toMatchObject([{ versao: '4' }]);
  expect(startsOf(open().server, 'OPE_7')).toEqual(['2024-05-01', '2024-05-01', '2025-01-01', '2023-01-01']);
});

test('operators are ordered by the number in their code, of any origin', async () => {
  for (const codigo of ['OPE_10', 'X-9', 'ALFA', '8']) await mirror(item({ codigo }));
  expect((await list()).map(({ codigo }: { codigo: string }) => codigo)).toEqual([
    'ALFA',
    '8',
    'X-9',
    'OPE_10',
  ]);
});

test('only a code in the local form reserves a number', () => {
  expect(numeroMadeHere(operatorCodigo(12))).toBe(12);
  for (const codigo of ['OPE_0', 'OPE_012', 'ope_12', 'OPE_12 ', 'OPE_1234567890123456', '12'])
    expect(numeroMadeHere(codigo)).toBeUndefined();
  expect([numeroIn('OPE_12'), numeroIn('A1-B22-C'), numeroIn('ALFA')]).toEqual([12, 22, 0]);
});
