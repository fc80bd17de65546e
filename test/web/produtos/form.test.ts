/** What the product form does without being drawn: texts, the request, what is wrong and where. */
import { describe, expect, test } from 'bun:test';
import type { ProductForm } from '../../../src/web/api/answers.ts';
import type { AttributeDetail } from '../../../src/catalogue/attribute/words/model.ts';
import { atFields, identicalIn, problemsOf, withProblems } from '../../../src/web/produtos/form/check.ts';
import {
  EMPTY,
  type FormValues,
  NO_LISTS,
  requestOf,
  valuesFrom,
  withoutEmpty,
} from '../../../src/web/produtos/form/form-values.ts';
import {
  guidanceOf,
  shownDecimal,
  shownMoment,
  wireDecimal,
  wireMoment,
} from '../../../src/web/produtos/form/texts.ts';

const RULES: ProductForm = {
  today: '2026-11-20',
  denominacaoMax: 5,
  modalidades: ['EXPORTACAO', 'IMPORTACAO'],
  attributeTable: null,
};
const WHOLE: FormValues = { ...EMPTY, denominacao: 'Vinho', ncm: '22042100', modalidade: 'IMPORTACAO' };
const placesOf = (values: Partial<FormValues>, asDraft = false): readonly string[] =>
  problemsOf({
    ...{ values: { ...WHOLE, ...values }, lists: NO_LISTS, rules: RULES, situated: undefined, asDraft },
  }).map(({ place }) => place);

describe('values as people write them', () => {
  test('decimals have a comma, and a point between thousands only beside one', () => {
    const ways = ['13.5', '13,5', '1.234,5', ' 7 ', '-0,5', '1,2,3'].map(wireDecimal);
    expect(ways).toEqual(['13.5', '13.5', '1234.5', '7', '-0.5', '1.2,3']);
    expect(shownDecimal('13.5')).toBe('13,5');
  });

  test('moments may leave out their seconds; what is none stays', () => {
    const ways = ['20/11/2026 10:31', '20/11/2026 10:31:07', '2026-11-20T10:31:07', 'ontem'].map(wireMoment);
    expect(ways).toEqual(['2026-11-20T10:31:00', '2026-11-20T10:31:07', '2026-11-20T10:31:07', 'ontem']);
    expect(shownMoment('2026-11-20T10:31:07')).toBe('20/11/2026 10:31:07');
  });

  test('guidance ends with what the field takes', () => {
    const detail = {
      ...{ definicao: 'Álcool', orientacaoPreenchimento: '', formaPreenchimento: 'NUMERO_REAL' },
      ...{ tamanhoMaximo: 4, casasDecimais: 1, mascara: '99.9' },
    } as AttributeDetail; // what guidance looks at
    expect(guidanceOf(detail)).toBe(
      'Álcool. Até 4 algarismos, até 1 casa decimal. Máscara 99.9 (9 = algarismo, A = letra, X = qualquer caractere).',
    );
    expect(guidanceOf({ ...detail, definicao: '', formaPreenchimento: 'DATA' })).toBeUndefined();
  });
});

describe('what is wrong before it is sent', () => {
  test('an active product has a name, an NCM and a modality; a draft only the name', () => {
    const nothing = { denominacao: ' ', ncm: '', modalidade: '' } as const;
    expect(placesOf(nothing)).toEqual(['denominacao', 'ncm', 'modalidade']);
    expect(placesOf(nothing, true)).toEqual(['denominacao']);
    expect(placesOf({})).toEqual([]);
    expect(placesOf({ ncm: '2204.21.00' })).toEqual([]);
    expect(placesOf({ ncm: '2204210' }, true)).toEqual(['ncm']);
  });

  test('sizes are counted in code points, on both sides of their limit', () => {
    expect(placesOf({ denominacao: '😀😀😀😀😀' })).toEqual([]);
    expect(placesOf({ denominacao: '😀😀😀😀😀.' })).toEqual(['denominacao']);
    expect(placesOf({ descricao: 'x'.repeat(3700) })).toEqual([]);
    expect(placesOf({ descricao: 'x'.repeat(3701) })).toEqual(['descricao']);
    expect(placesOf({ codigosInterno: `${'x'.repeat(60)}\n 17 \n\n18` })).toEqual([]);
    expect(placesOf({ codigosInterno: 'x'.repeat(61) })).toEqual(['codigosInterno']);
    expect(placesOf({ codigosInterno: '17\n18\n17' })).toEqual(['codigosInterno']);
  });

  test('a product begins on a day that has come, and a draft on none', () => {
    expect(placesOf({ dataReferencia: '2026-11-20' })).toEqual([]);
    expect(placesOf({ dataReferencia: '2026-11-21' })).toEqual(['dataReferencia']);
    expect(placesOf({ dataReferencia: 'ontem' })).toEqual(['dataReferencia']);
    expect(placesOf({ dataReferencia: '2026-11-20' }, true)).toEqual(['dataReferencia']);
  });
});

describe('what the server says finds its field', () => {
  test('of attributes by their place, of a batch by the member that the text begins with', () => {
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
    expect(atFields([at('atributosCompostos/0/valores/0/valor')], compound)[0]?.field).toBe(
      'parte/ATT_4/0/ATT_5',
    );
  });

  test('and what was found here is said beside it, where it says nothing of that field', () => {
    const at = (place: string, message: string, field?: string) => ({
      ...{ place, message, code: null },
      ...(field !== undefined && { field }),
    });
    const error = { status: 400, message: 'Não.', code: 'x', tag: 'y', problems: [at('ncm', 'dele')] };
    const merged = withProblems({ ok: false, error }, [
      at('ncm', 'daqui'),
      at('atributos', 'daqui', 'atributo/A'),
    ]);
    expect(merged.ok ? [] : merged.error.problems.map(({ message }) => message)).toEqual(['dele', 'daqui']);
  });

  test('and the product that is the same is named', () => {
    const message = 'Já existe produto idêntico cadastrado. Código: 17.';
    expect(identicalIn([{ message, code: 'CATP-ER1001', place: '' }])).toBe('17');
    expect(identicalIn([{ message, code: 'CATP-ER1002', place: '' }])).toBeUndefined();
  });
});

describe('the request', () => {
  test('leaves out what is empty, and groups in which nothing stands', () => {
    expect(requestOf({ ...EMPTY, denominacao: 'x' }, NO_LISTS)).toEqual({
      ...{ denominacao: 'x', codigosInterno: [], ...NO_LISTS },
    });
    expect(
      withoutEmpty({ values: {}, groups: { ATT_4: [{}, { ATT_5: ' ' }, { ATT_5: 'x' }] } }).groups,
    ).toEqual({ ATT_4: [{ ATT_5: 'x' }] });
  });

  test('of a copy has no internal codes, of a version those that there are', () => {
    const product = {
      ...{ cpfCnpjRaiz: '12345678', codigo: 1, versao: '1', situacao: 'ATIVADO' as const, denominacao: 'x' },
      ...{ descricao: null, modalidade: null, ncm: null, codigosInterno: ['0017', 'b'], ...NO_LISTS },
    } as const;
    expect(valuesFrom(product, 'copia').codigosInterno).toBe('');
    expect(valuesFrom(product, 'versao').codigosInterno).toBe('0017\nb');
  });
});
