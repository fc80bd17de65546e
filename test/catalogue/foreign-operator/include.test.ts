/** POST /ext/operador-estrangeiro/{cpfCnpjRaiz}/{codigoPais} (contract section 4). */
import { describe, expect, test } from 'bun:test';
import { openApp } from '../../support/app.ts';
import {
  COMPANY,
  MINIMAL,
  OTHER_COMPANY,
  PATH,
  WHOLE,
  codesOf,
  eventsOf,
  fieldsOf,
  include,
  operatorsForEachTest,
} from './support.ts';

const open = operatorsForEachTest();
const IN_GERMANY = `${PATH}/${COMPANY}/DE`;

describe('a caller is refused', () => {
  test('without a session', async () => {
    const reply = await open().server.anybody.call('POST', IN_GERMANY, MINIMAL);
    expect([reply.status, reply.json.code]).toEqual([401, 'PUCX-ER0201']);
  });

  test('without the company, before the request is validated', async () => {
    const stranger = await open().server.as('estranho');
    expect((await stranger.call('POST', `${PATH}/${COMPANY}/de`, { nome: 1 })).status).toBe(403);
  });

  test('a malformed company is 400, not 403', async () => {
    expect((await open().demo.call('POST', `${PATH}/1234567/DE`, MINIMAL)).status).toBe(400);
  });
});

describe('a malformed request is refused', () => {
  test.each(['de', 'D', 'DEU', 'D1'])('the country %s is not two capital letters', async (codigoPais) => {
    const reply = await open().demo.call('POST', `${PATH}/${COMPANY}/${codigoPais}`, MINIMAL);
    expect([reply.status, fieldsOf(reply)]).toEqual([400, ['codigoPais']]);
  });

  test('every missing member is reported at once', async () => {
    const reply = await open().demo.call('POST', IN_GERMANY, { nome: '', logradouro: null });
    expect([reply.status, fieldsOf(reply).sort()]).toEqual([400, ['logradouro', 'nome', 'nomeCidade']]);
  });

  test.each(['tin', 'cep', 'codigoInterno', 'codigoSubdivisaoPais'])(
    'the code %s has only blanks',
    async (member) => {
      const reply = await open().demo.call('POST', IN_GERMANY, { ...MINIMAL, [member]: '  ' });
      expect([reply.status, fieldsOf(reply)]).toEqual([400, [member]]);
      expect(reply.json.message).toContain('com 0 caracteres');
    },
  );

  test.each(['codigoPais', 'situacao', 'codigo', 'versao', 'dataReferencia'])(
    'the member %s belongs to the answer, not to the request',
    async (member) => {
      const reply = await open().demo.call('POST', IN_GERMANY, { ...MINIMAL, [member]: 'FR' });
      expect([reply.status, fieldsOf(reply)]).toEqual([400, [member]]);
    },
  );

  const LIMITS: Readonly<Record<string, number>> = {
    tin: 35,
    nome: 70,
    logradouro: 70,
    nomeCidade: 35,
    cep: 9,
    codigoInterno: 35,
  };
  test.each(Object.entries(LIMITS))('%s accepts at most %i characters', async (member, most) => {
    const { demo } = open();
    const text = 'é'.repeat(most);
    expect((await demo.call('POST', IN_GERMANY, { ...MINIMAL, [member]: text })).json[member]).toBe(text);
    const reply = await demo.call('POST', IN_GERMANY, { ...MINIMAL, [member]: `${text}é` });
    expect([reply.status, fieldsOf(reply)]).toEqual([400, [member]]);
  });

  test('a profile with longer names accepts 150 characters', async () => {
    const server = await openApp({ settings: { perfil: 'portal' } });
    const demo = await server.as('demo');
    const withName = (size: number) => ({ ...MINIMAL, nome: 'x'.repeat(size) });
    expect((await demo.call('POST', IN_GERMANY, withName(150))).status).toBe(200);
    expect((await demo.call('POST', IN_GERMANY, withName(151))).status).toBe(400);
    await server.close();
  });

  test('codigoSubdivisaoPais accepts at most 6 characters', async () => {
    const { demo } = open();
    const ofSize = (size: number) => ({ ...MINIMAL, codigoSubdivisaoPais: 'X'.repeat(size) });
    expect((await demo.call('POST', IN_GERMANY, ofSize(6))).status).toBe(422);
    expect((await demo.call('POST', IN_GERMANY, ofSize(7))).status).toBe(400);
  });

  test.each([
    'muster',
    'a@b',
    '@muster.example',
    'a b@muster.example',
    'a@@muster.example',
    'a..b@muster.example',
  ])('the e-mail %s is not an address', async (email) => {
    const reply = await open().demo.call('POST', IN_GERMANY, { ...MINIMAL, email });
    expect([reply.status, fieldsOf(reply)]).toEqual([400, ['email']]);
  });

  test('an e-mail accepts at most 70 characters', async () => {
    const { demo } = open();
    const longest = `${'a'.repeat(55)}@muster.example`;
    expect(longest).toHaveLength(70);
    expect((await include(demo, { ...MINIMAL, email: longest })).email).toBe(longest);
    expect((await demo.call('POST', IN_GERMANY, { ...MINIMAL, email: `a${longest}` })).status).toBe(400);
  });

  test('an identification accepts a number of up to 35 and a code of up to 3 characters', async () => {
    const { demo } = open();
    const operatorWith = (identificacao: object) => ({
      ...MINIMAL,
      identificacoesAdicionais: [identificacao],
    });
    const longest = { numero: '1'.repeat(35), codigo: '123' };
    expect((await include(demo, operatorWith(longest))).identificacoesAdicionais).toEqual([longest]);
    for (const wrong of [
      { ...longest, numero: '1'.repeat(36) },
      { ...longest, codigo: '1234' },
      { numero: '1' },
      { codigo: '1' },
      { ...longest, nome: 'x' },
    ])
      expect((await demo.call('POST', IN_GERMANY, operatorWith(wrong))).status).toBe(400);
  });
});

describe('a violated rule is refused', () => {
  test('a country outside ISO 3166-1 is refused', async () => {
    const reply = await open().demo.call('POST', `${PATH}/${COMPANY}/XX`, MINIMAL);
    expect([reply.status, codesOf(reply), fieldsOf(reply)]).toEqual([422, ['CATP-ER1012'], ['codigoPais']]);
  });

  test.each(['DE-XX', 'FR-01', 'BY', 'de-by'])('the subdivision %s is not one of Germany', async (code) => {
    const reply = await open().demo.call('POST', IN_GERMANY, { ...MINIMAL, codigoSubdivisaoPais: code });
    expect([reply.status, codesOf(reply)]).toEqual([422, ['CATP-ER1013']]);
  });

  test('a subdivision without its country is reported with all problems', async () => {
    const reply = await open().demo.call('POST', IN_GERMANY, { ...MINIMAL, codigoSubdivisaoPais: 'BY' });
    expect(reply.json.detail[0].message).toContain('Você quis dizer "DE-BY"?');
  });

  test('the TIN of another active operator of the company is refused, together with every other violated rule', async () => {
    const { demo } = open();
    await include(demo, WHOLE);
    const reply = await demo.call('POST', `${PATH}/${COMPANY}/XX`, WHOLE);
    expect(codesOf(reply)).toEqual(['CATP-ER1012', 'CATP-ER1013', 'CATP-ER1014']);
  });

  test('a refused inclusion uses no code', async () => {
    const { demo } = open();
    await include(demo, WHOLE);
    await demo.call('POST', IN_GERMANY, WHOLE);
    expect((await include(demo)).codigo).toBe('OPE_2');
  });

  test('the TIN of a deactivated operator, or of another company, is accepted', async () => {
    const { demo } = open();
    await include(demo, WHOLE);
    await demo.call('PUT', `${PATH}/desativar/${COMPANY}/DE/OPE_1/1`);
    expect((await include(demo, WHOLE)).codigo).toBe('OPE_2');
    expect((await demo.call('POST', `${PATH}/${OTHER_COMPANY}/DE`, WHOLE)).status).toBe(200);
  });
});

test('the answer has every member of the record in the printed order', async () => {
  const reply = await open().demo.call('POST', IN_GERMANY, WHOLE);
  expect(reply.status).toBe(200);
  const { tin, nome, logradouro, nomeCidade, codigoSubdivisaoPais, cep, codigoInterno, email } = WHOLE;
  expect(reply.text).toBe(
    JSON.stringify({
      seq: 1,
      cpfCnpjRaiz: COMPANY,
      codigo: 'OPE_1',
      versao: '1',
      tin,
      nome,
      situacao: 'ATIVADO',
      logradouro,
      nomeCidade,
      codigoSubdivisaoPais,
      codigoPais: 'DE',
      cep,
      codigoInterno,
      email,
      dataReferencia: null,
      identificacoesAdicionais: WHOLE.identificacoesAdicionais,
    }),
  );
});

test('empty members are null, and an empty list is empty', async () => {
  const record = await include(open().demo, { ...MINIMAL, tin: '', email: null });
  const { tin, codigoSubdivisaoPais, cep, codigoInterno, email, identificacoesAdicionais } = record;
  expect([tin, codigoSubdivisaoPais, cep, codigoInterno, email]).toEqual([null, null, null, null, null]);
  expect(identificacoesAdicionais).toEqual([]);
});

test('each company has its own numbering of codes', async () => {
  const { demo } = open();
  const codes = [(await include(demo)).codigo, (await include(demo, MINIMAL, 'FR')).codigo];
  const otherCompany = await demo.call('POST', `${PATH}/${OTHER_COMPANY}/FR`, MINIMAL);
  expect([...codes, otherCompany.json.codigo]).toEqual(['OPE_1', 'OPE_2', 'OPE_1']);
});

test('an inclusion publishes its event with the country', async () => {
  const { server, demo } = open();
  await include(demo);
  expect(eventsOf(server)).toEqual([
    {
      cpfCnpjRaiz: COMPANY,
      codigo: 'OPE_1',
      codigoPais: 'DE',
      versao: '1',
      situacao: 'ATIVADO',
      operacao: 'INCLUSAO',
      dataHora: '2026-01-15T09:00:00',
    },
  ]);
});
