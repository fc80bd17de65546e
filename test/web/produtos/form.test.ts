/** The logic of the product form without a browser: texts, the request, problems and their places. */
import { describe, expect, test } from 'bun:test';
import { type AttributeDetail, NO_LISTS } from '../../../src/catalogue/attribute/words/model.ts';
import { atFields, problemsOf, withProblems } from '../../../src/web/produtos/form/check.ts';
import {
  EMPTY,
  type FormValues,
  requestOf,
  valuesFrom,
  withoutEmpty,
} from '../../../src/web/produtos/form/form-values.ts';
import {
  guidanceOf,
  decimalText,
  momentText,
  wireDecimal,
  wireMoment,
} from '../../../src/web/produtos/form/texts.ts';

const placesOf = (values: Partial<FormValues>): readonly string[] =>
  problemsOf({ ...EMPTY, ...values }, NO_LISTS, undefined).map(({ place }) => place);

describe('values in the usual written form', () => {
  test('decimals have a comma, and a point between thousands only together with one', () => {
    const decimals = ['13.5', '13,5', '1.234,5', ' 7 ', '-0,5', '1,2,3'].map(wireDecimal);
    expect(decimals).toEqual(['13.5', '13.5', '1234.5', '7', '-0.5', '1.2,3']);
    expect(decimalText('13.5')).toBe('13,5');
  });

  test('moments can omit their seconds; an invalid one is not changed', () => {
    const moments = ['20/11/2026 10:31', '20/11/2026 10:31:07', '2026-11-20T10:31:07', 'ontem'].map(
      wireMoment,
    );
    expect(moments).toEqual(['2026-11-20T10:31:00', '2026-11-20T10:31:07', '2026-11-20T10:31:07', 'ontem']);
    expect(momentText('2026-11-20T10:31:07')).toBe('20/11/2026 10:31:07');
  });

  test('guidance ends with the accepted values of the field', () => {
    const detail = {
      definicao: 'Álcool',
      orientacaoPreenchimento: '',
      formaPreenchimento: 'NUMERO_REAL',
      tamanhoMaximo: 4,
      casasDecimais: 1,
      mascara: '99.9',
    } as AttributeDetail; // the members that guidance reads
    expect(guidanceOf(detail)).toBe(
      'Álcool. Até 4 algarismos, até 1 casa decimal. Máscara 99.9 (9 = algarismo, A = letra, X = qualquer caractere).',
    );
    expect(guidanceOf({ ...detail, definicao: '', formaPreenchimento: 'DATA' })).toBeUndefined();
  });
});

// The server validates sizes, repetitions and days: the stories of the form test how its problems are shown.
test('empty required fields are reported without a request to the server', () => {
  expect(placesOf({ denominacao: ' ' })).toEqual(['denominacao', 'ncm', 'modalidade']);
  expect(placesOf({ denominacao: 'Vinho', ncm: '2204.21.00', modalidade: 'IMPORTACAO' })).toEqual([]);
});

describe('a message of the server finds its field', () => {
  test('for an attribute by its place, for a part of a compound by its member', () => {
    const lists = { ...NO_LISTS, atributos: [{ atributo: 'ATT_1', valor: 'x' }] };
    const compound = {
      ...NO_LISTS,
      atributosCompostos: [{ atributo: 'ATT_4', valores: [{ atributo: 'ATT_5', valor: 'x' }] }],
    };
    const at = (place: string) => ({ message: '', code: null, place });
    expect(atFields([at('atributos/0/valor'), at('ncm')], lists).map(({ field }) => field)).toEqual([
      'atributo/ATT_1',
      undefined,
    ]);
    const ofPart = { ...at('atributosCompostos/0/valores/0/valor'), about: { attribute: 'ATT_5' } };
    expect(atFields([ofPart], compound)[0]?.field).toBe('parte/ATT_4/0/ATT_5');
  });

  test('and a local problem is shown with it, where the server reports none for that field', () => {
    const at = (place: string, message: string, field?: string) => ({
      place,
      message,
      code: null,
      ...(field !== undefined && { field }),
    });
    const error = { status: 400, message: 'Não.', code: 'x', tag: 'y', problems: [at('ncm', 'dele')] };
    const merged = withProblems({ ok: false, error }, [
      at('ncm', 'daqui'),
      at('atributos', 'daqui', 'atributo/A'),
    ]);
    expect(merged.ok ? [] : merged.error.problems.map(({ message }) => message)).toEqual(['dele', 'daqui']);
  });
});

describe('the request', () => {
  test('omits empty values, and empty groups', () => {
    expect(requestOf({ ...EMPTY, denominacao: 'x' }, NO_LISTS)).toEqual({
      denominacao: 'x',
      codigosInterno: [],
      ...NO_LISTS,
    });
    expect(requestOf({ ...EMPTY, denominacao: ' ' }, NO_LISTS)).not.toHaveProperty('denominacao');
    expect(
      withoutEmpty({ values: {}, groups: { ATT_4: [{}, { ATT_5: ' ' }, { ATT_5: 'x' }] } }).groups,
    ).toEqual({ ATT_4: [{ ATT_5: 'x' }] });
  });

  test('of a copy has no internal codes, of a version the existing ones', () => {
    const product = {
      cpfCnpjRaiz: '12345678',
      codigo: 1,
      versao: '1',
      situacao: 'ATIVADO' as const,
      denominacao: 'x',
      descricao: null,
      modalidade: null,
      ncm: null,
      codigosInterno: ['0017', 'b'],
      ...NO_LISTS,
    } as const;
    expect(valuesFrom(product, 'copia').codigosInterno).toBe('');
    expect(valuesFrom(product, 'versao').codigosInterno).toBe('0017\nb');
  });
});
