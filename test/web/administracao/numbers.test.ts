import { describe, expect, test } from 'bun:test';
import { ageInWords } from '../../../src/web/administracao/age.ts';
import { matching } from '../../../src/web/kit/record-list/matching.ts';
import { numberFault, plainNumber } from '../../../src/web/administracao/numbers.ts';
import { PROFILES as OF_THE_SERVER } from '../../../src/session/model.ts';
import { PROFILES } from '../../../src/web/words.ts';

describe('the number of an account', () => {
  test('is accepted with its points, bars and hyphens', () => {
    expect(plainNumber(' 000.000.001-91 ')).toBe('00000000191');
    expect(plainNumber('12.345.678/0001-95')).toBe('12345678000195');
    expect(numberFault('documento', '000.000.001-91')).toBeUndefined();
    expect(numberFault('documento', '12345678000195')).toBeUndefined();
  });

  test('with wrong check digits is reported, and can be confirmed', () => {
    const fault = numberFault('documento', '00000000192');
    expect(fault?.mayBeIntended).toBe(true);
    expect(fault?.message).toContain('dígitos verificadores');
    expect(numberFault('cnpj', '12345678000196')?.mayBeIntended).toBe(true);
    expect(numberFault('raiz', '00000000192')?.mayBeIntended).toBe(true);
  });

  test('of another length is refused with the accepted one, and cannot be confirmed', () => {
    for (const typed of ['', '123', '123456789012', '1234567890123456'])
      expect(numberFault('documento', typed)).toMatchObject({ mayBeIntended: false });
    expect(numberFault('documento', '123')?.message).toContain('recebido “123”');
    expect(numberFault('raiz', '12345678000195')?.mayBeIntended).toBe(false);
    expect(numberFault('cnpj', '00000000191')?.mayBeIntended).toBe(false);
  });

  test('the root of a CNPJ has no check digits, and can have letters', () => {
    for (const raiz of ['12345678', '1A345678', '00000000191'])
      expect(numberFault('raiz', raiz)).toBeUndefined();
  });
});

test('every profile of the server can be chosen', () => {
  expect(Object.keys(PROFILES).toSorted()).toEqual(Object.keys(OF_THE_SERVER).toSorted());
});

test('a list is searched by every word, without accents, and by numbers with and without their separators', () => {
  const rows = Array.from({ length: 30 }, (_, at) => ({ nome: `Usuário ${at}`, raiz: `11.222.3${at + 40}` }));
  const columns = (['nome', 'raiz'] as const).map((name) => ({
    text: (row: (typeof rows)[number]) => row[name],
  }));
  expect(matching(rows, columns, '')).toEqual(rows);
  expect(matching(rows, columns, 'usuario 29')).toEqual(rows.slice(29));
  expect(matching(rows, columns, '11222340')).toEqual(rows.slice(0, 1));
  expect(matching(rows, columns, '11.222.340')).toEqual(rows.slice(0, 1));
});

test('the age of a backup is shown, and two days are too old', () => {
  const at = '2026-01-10T12:00:00-03:00';
  const after = (ms: number) => ageInWords(at, Date.parse(at) + ms);
  expect(after(-5)).toEqual({ text: 'agora há pouco', isOld: false });
  expect(after(60_000).text).toBe('há 1 minuto');
  expect(after(5 * 3_600_000).text).toBe('há 5 horas');
  expect(after(48 * 3_600_000)).toEqual({ text: 'há 2 dias', isOld: false });
  expect(after(48 * 3_600_000 + 1)).toEqual({ text: 'há 2 dias', isOld: true });
});
