/** Checks the companies of an access. */
import { unprocessable } from '../errors.ts';
import { fieldProblem } from '../validation/decoding.ts';
import { formatValue } from '../validation/format-value.ts';

/** Maximum companies of one access that are named. */
const NAMED_COMPANIES_MAX = 1000;

/** Returns the roots of an access. Throws 422: the API document cannot describe the list, because a text is also valid. */
export function rootsIn(companies: unknown): readonly string[] {
  const isList = Array.isArray(companies) && companies.every((one) => typeof one === 'string');
  if (isList && companies.length >= 1 && companies.length <= NAMED_COMPANIES_MAX) return companies;
  throw unprocessable([
    fieldProblem(
      'companies',
      `recebido ${formatValue(isList ? `${companies.length} empresas` : companies)}; aceita uma lista de 1 a ${NAMED_COMPANIES_MAX} raízes, ou o texto todas.`,
    ),
  ]);
}
