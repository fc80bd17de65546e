/** Selectable companies. */
import type { Company } from '../api/answers.ts';
import { numberText } from '../words.ts';
import type { Option } from './select.tsx';

export const companyOptions = (
  companies: readonly Pick<Company, 'cpfCnpjRaiz' | 'nome'>[],
): readonly Option[] =>
  companies.map(({ cpfCnpjRaiz, nome }) => ({
    value: cpfCnpjRaiz,
    code: numberText(cpfCnpjRaiz),
    label: nome,
  }));
