import { expect, test } from 'bun:test';
import { iso31661 } from 'iso-3166';
import { COUNTRIES, countryName } from '../../../src/web/ui/countries.ts';

test('the countries of the list are those that the server accepts', () => {
  const ours = COUNTRIES.map(({ value }) => value).toSorted();
  expect(ours).toEqual(iso31661.map(({ alpha2 }) => alpha2).toSorted());
});

test('they have their Portuguese names, in the order of these', () => {
  expect(countryName('DE')).toBe('Alemanha');
  expect(COUNTRIES.findIndex(({ value }) => value === 'ZA')).toBeLessThan(
    COUNTRIES.findIndex(({ value }) => value === 'DE'),
  );
  expect(countryName('??')).toBe('??');
});
