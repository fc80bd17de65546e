import { describe, expect, test } from 'bun:test';
import type { AttributeDetail, AttributePair } from '../../../src/web/api/answers.ts';
import {
  attributesOfNcm,
  conditionInWords,
  formInWords,
  isOfProducts,
  modalitiesInWords,
} from '../../../src/web/atributos/describe.ts';
import { matching } from '../../../src/web/atributos/words.ts';

const detail = (members: Partial<AttributeDetail>): AttributeDetail => ({
  codigo: 'ATT_1',
  nome: 'Nome',
  formaPreenchimento: 'TEXTO',
  dataInicioVigencia: '2020-01-01',
  ...members,
});

describe('an attribute in words', () => {
  test('describes its form, its size, its decimals and its mask', () => {
    expect(formInWords(detail({ tamanhoMaximo: 1 }), false)).toBe('Texto, até 1 posição');
    expect(
      formInWords(detail({ formaPreenchimento: 'NUMERO_REAL', tamanhoMaximo: 4, casasDecimais: 2 }), true),
    ).toBe('Número com decimais, até 4 algarismos, 2 decimais, um ou mais');
    expect(formInWords(detail({ mascara: '99-A' }), false)).toBe('Texto, na forma 99-A');
  });

  test('describes its condition by the words of the domain of its parent, with its related attributes grouped', () => {
    const parent = detail({
      nomeApresentacao: 'Certificação',
      formaPreenchimento: 'LISTA_ESTATICA',
      dominio: [{ codigo: '01', descricao: 'Nacional' }],
    });
    const third = { operador: '>=', valor: '7' } as const;
    const second = { operador: '!=', valor: '02', composicao: '||', condicao: third } as const;
    expect(conditionInWords({ operador: '==', valor: '01' }, parent)).toBe(
      'Quando “Certificação” for 01 (Nacional)',
    );
    expect(
      conditionInWords({ operador: '==', valor: '01', composicao: '&&', condicao: second }, parent),
    ).toBe('Quando “Certificação” for 01 (Nacional) e (não for 02 ou for pelo menos 7)');
    const organic = detail({ formaPreenchimento: 'BOOLEANO', nome: 'Orgânico' });
    expect(conditionInWords({ operador: '==', valor: 'true' }, organic)).toBe('Quando “Orgânico” for Sim');
  });

  test('is listed for products by its objective, or without one for all', () => {
    expect(isOfProducts(detail({}))).toBe(true);
    expect(isOfProducts(detail({ objetivos: [{ codigo: 7, descricao: 'Produto' }] }))).toBe(true);
    expect(isOfProducts(detail({ objetivos: [{ codigo: 3, descricao: 'LPCO' }] }))).toBe(false);
  });
});

test('the attributes of an NCM are described one by one, the required ones first, each modality once', () => {
  const pair = (codigo: string, modalidade: AttributePair['modalidade'], obrigatorio: boolean) => ({
    codigo,
    modalidade,
    obrigatorio,
    multivalorado: false,
    dataInicioVigencia: '2020-01-01',
  });
  const attributes = attributesOfNcm({
    listaAtributos: [
      pair('ATT_1', 'Importação', false),
      pair('ATT_2', 'Importação', true),
      pair('ATT_2', 'Exportação', false),
      pair('ATT_3', 'Importação', true),
    ],
    detalhesAtributos: [detail({}), detail({ codigo: 'ATT_2' })],
  });
  expect(attributes.map((one) => one.detail.codigo)).toEqual(['ATT_2', 'ATT_1']);
  expect(attributes.map(modalitiesInWords)).toEqual([
    'Importação: obrigatório · Exportação: opcional',
    'Importação: opcional',
  ]);
});

test('a product of an impact is found by its code, its NCM with or without points, and its reasons', () => {
  const product = {
    cpfCnpjRaiz: '12345678',
    codigo: 12,
    ncm: '09012100',
    problems: [
      {
        message: 'Atributo ATT_1 (Torrefação): obrigatório.',
        path: '/atributos',
        code: 'CATP-ER0422',
        field: 'atributos',
      },
    ],
  };
  for (const typed of ['', '12', '0901.21', '090121', 'torrefacao 12345678'])
    expect({ typed, found: matching(typed)(product) }).toEqual({ typed, found: true });
  for (const typed of ['13', 'vinho'])
    expect({ typed, found: matching(typed)(product) }).toEqual({ typed, found: false });
});
