import { expect, test } from 'bun:test';
import { labelOf, problemText, valueText, readableSentence } from '../../src/web/sentences.ts';
import { ncmText, numberText, unpointed } from '../../src/web/words.ts';

test('an NCM and the numbers of companies and persons get their separators, and other texts are not changed', () => {
  expect(ncmText('87120010')).toBe('8712.00.10');
  expect(ncmText('8712')).toBe('8712');
  expect(numberText('12345678')).toBe('12.345.678');
  expect(numberText('AB345C78')).toBe('AB.345.C78');
  expect(numberText('12345678000195')).toBe('12.345.678/0001-95');
  expect(numberText('00000000191')).toBe('000.000.001-91');
  for (const other of ['AB34567800019', 'sistema', 'linha de comando', '–'])
    expect(numberText(other)).toBe(other);
});

test('a typed or pasted number is sent without its separators, and words keep theirs', () => {
  for (const [typed, expected] of [
    ['8712.00.10', '87120010'],
    ['8712.00', '871200'],
    ['bicicleta 8712.00.10', 'bicicleta 87120010'],
    ['12.345.678', '12345678'],
    ['12.345.678/0001-95', '12345678000195'],
    ['ab.345.c78', 'ab345c78'],
    ['000.000.001-91', '00000000191'],
    ['produto 12.345.678/7', 'produto 12345678/7'],
    ['1.5 mm', '1.5 mm'],
    ['OPE-1.234', 'OPE-1.234'],
    ['v12.345.678', 'v12.345.678'],
  ] as const)
    expect({ typed, asked: unpointed(typed) }).toEqual({ typed, asked: expected });
});

test('a sentence of the server gets days, NCMs, companies and attributes in the written form of people', () => {
  for (const [sentence, read] of [
    [
      'Atributo ATT_1 (Teor (% vol)): obrigatório da NCM 22042100, não informado.',
      'Teor (% vol): obrigatório da NCM 2204.21.00, não informado.',
    ],
    [
      'obrigatório quando ATT_2 (Produto orgânico) igual a "true", não informado.',
      'obrigatório quando Produto orgânico igual a "Sim", não informado.',
    ],
    ['Desde 2026-11-24T13:20:00-03:00.', 'Desde 24/11/2026 13:20.'],
    ['não é para a modalidade EXPORTACAO; retire-o.', 'não é para a modalidade exportação; retire-o.'],
    ['recebido "EXPORTACAO"; está DESATIVADO.', 'recebido "EXPORTACAO"; está desativado.'],
    ['Não existe no catálogo de 12345678.', 'Não existe no catálogo de 12.345.678.'],
  ] as const)
    expect(readableSentence(sentence)).toBe(read);
});

test('a problem names its member by the label of its field', () => {
  for (const [label, sentence, place, read] of [
    ['ncm', 'recebido "1"; aceita 8 dígitos.', 'ncm', 'NCM: recebido "1"; aceita 8 dígitos.'],
    [
      'dataReferencia',
      'recebido "2020-99-01"; aceita um dia existente no formato yyyy-MM-dd.',
      'dataReferencia',
      'Data de referência: recebido "01/99/2020"; aceita um dia existente no formato dd/mm/aaaa.',
    ],
  ] as const)
    expect(problemText({ message: `${label}: ${sentence}`, label }, place)).toBe(read);
  const about = { missing: 'um texto de 1 a 35 caracteres' };
  const message = 'numero: membro obrigatório ausente; informe um texto de 1 a 35 caracteres.';
  expect(problemText({ message, label: 'numero', about }, '/identificacoesAdicionais/0/numero')).toBe(
    'Identificações adicionais 1, Número: falta; informe um texto de 1 a 35 caracteres.',
  );
  // A message that only resembles one with a label does not change.
  expect(problemText({ message: 'ncm: de outra coisa.' }, 'ncm')).toBe('ncm: de outra coisa.');
  expect(labelOf('/atributos/2/valor')).toBe('Atributos 3, valor');
});

test('a value of a change is shown like its member', () => {
  for (const [member, value, read] of [
    ['ncm', '87120010', '8712.00.10'],
    ['modalidade', 'IMPORTACAO', 'Importação'],
    ['situacao', 'DESATIVADO', 'Desativado'],
    ['atributo:ATT_1', 'true', 'Sim'],
    ['atributo:ATT_1', '2026-11-20', '20/11/2026'],
    ['denominacao', 'true', 'true'],
    ['outro', 'x', 'x'],
  ] as const)
    expect(valueText(member, value)).toBe(read);
});
