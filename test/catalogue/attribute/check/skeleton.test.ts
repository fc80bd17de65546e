import { describe, expect, test } from 'bun:test';
import { ATTRIBUTE_CODES } from '../../../../src/catalogue/attribute/words/codes.ts';
import { prepare } from '../../../../src/catalogue/attribute/check/prepare.ts';
import { check } from '../../../../src/catalogue/attribute/check/rules.ts';
import { skeleton } from '../../../../src/catalogue/attribute/check/skeleton.ts';
import { readTable } from '../../../../src/catalogue/attribute/file/table-file.ts';
import demo from '../../../../src/demo/attribute-table-1.json' with { type: 'json' };

const DAY = '2026-11-20';

function demoRules(ncm: string) {
  const read = readTable(JSON.stringify(demo));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const details = new Map(read.table.detalhesAtributos.map((detail) => [detail.codigo, detail]));
  const entry = read.table.listaNcm.find(({ codigoNcm }) => codigoNcm === ncm);
  if (entry === undefined) throw new Error(`no NCM ${ncm} in the demonstration`);
  return prepare(entry, details);
}

describe('a product skeleton', () => {
  test('is complete but for the values', () => {
    for (const { codigoNcm } of demo.listaNcm)
      for (const modalidade of ['IMPORTACAO', 'EXPORTACAO', 'AMBOS'] as const) {
        const ncmRules = demoRules(codigoNcm.replaceAll('.', ''));
        const { product } = skeleton(ncmRules, DAY, modalidade);
        const codes = check(ncmRules, DAY, modalidade, product).map(({ code }) => code);
        expect(codes.filter((code) => code !== ATTRIBUTE_CODES.valueMissing.code)).toEqual([]);
      }
  });

  test('has the required attributes, each in its list, with the required sub-attributes', () => {
    expect(skeleton(demoRules('22042100'), DAY, 'IMPORTACAO').product).toEqual({
      descricao: '',
      denominacao: '',
      modalidade: 'IMPORTACAO',
      ncm: '22042100',
      atributos: [
        { atributo: 'ATT_90002', valor: '' },
        { atributo: 'ATT_90005', valor: '' },
      ],
      atributosMultivalorados: [{ atributo: 'ATT_90004', valores: [''] }],
      atributosCompostos: [
        {
          atributo: 'ATT_90010',
          valores: [
            { atributo: 'ATT_90011', valor: '' },
            { atributo: 'ATT_90012', valor: '' },
          ],
        },
      ],
      atributosCompostosMultivalorados: [],
      codigosInterno: [],
    });
  });

  test('explains every attribute in force, also optional, conditioned and nested ones', () => {
    const { notes } = skeleton(demoRules('22042100'), DAY, 'IMPORTACAO');
    expect(notes.map(({ atributo, obrigatorio, composto }) => [atributo, obrigatorio, composto])).toEqual([
      ['ATT_90002', true, null],
      ['ATT_90003', false, null],
      ['ATT_90004', true, null],
      ['ATT_90005', true, null],
      ['ATT_90006', true, null],
      ['ATT_90007', true, null],
      ['ATT_90010', true, null],
      ['ATT_90011', true, 'ATT_90010'],
      ['ATT_90012', true, 'ATT_90010'],
      ['ATT_90013', false, 'ATT_90010'],
    ]);
    const conditionedNote = notes.find(({ atributo }) => atributo === 'ATT_90007');
    expect(conditionedNote?.condicao).toBe(
      'ATT_90006 (Certificação orgânica) igual a "01" (Certificadora nacional) ou igual a "02" (Certificadora estrangeira)',
    );
    expect(notes.find(({ atributo }) => atributo === 'ATT_90004')?.dominio).toHaveLength(5);
  });

  test('leaves out attributes of the other modality', () => {
    const { product, notes } = skeleton(demoRules('22042100'), DAY, 'EXPORTACAO');
    expect(product.atributos).toEqual([{ atributo: 'ATT_90002', valor: '' }]);
    expect(notes).toHaveLength(1);
  });
});
