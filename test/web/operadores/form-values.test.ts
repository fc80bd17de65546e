import { expect, test } from 'bun:test';
import { missingProblems, requestOf, valuesOf } from '../../../src/web/operadores/form-values.ts';
import { memberName } from '../../../src/web/operadores/operator.ts';

test('empty values are not sent, and spaces around a text are removed', () => {
  const values = {
    ...valuesOf(),
    nome: ' Muster GmbH ',
    codigoPais: 'DE',
    logradouro: 'Weg 1',
    nomeCidade: 'Köln',
    cep: ' ',
    identificacoesAdicionais: [{ numero: ' 7 ', codigo: '' }],
  };
  expect(requestOf(values)).toEqual({
    nome: 'Muster GmbH',
    logradouro: 'Weg 1',
    nomeCidade: 'Köln',
    identificacoesAdicionais: [{ numero: '7', codigo: '' }],
  });
});

test('empty required fields are named', () => {
  expect(missingProblems(valuesOf()).map(({ place }) => place)).toEqual([
    ...['nome', 'codigoPais', 'logradouro', 'nomeCidade'],
  ]);
  expect(
    missingProblems({ ...valuesOf(), nome: 'A', logradouro: 'B', nomeCidade: ' ' }).map(({ place }) => place),
  ).toEqual([...['codigoPais', 'nomeCidade']]);
});

test('a path of an operator is named in words', () => {
  expect(memberName('nomeCidade')).toBe('Cidade');
  expect(memberName('identificacoesAdicionais/1/codigo')).toBe('Identificação 2, agência');
});
