/** Selectable companies and users. */
import type { Company, User } from '../api/answers.ts';
import { numberText } from '../words.ts';
import type { Option } from './select.tsx';

const optionOf = (value: string, label: string): Option => ({ value, code: numberText(value), label });

export const companyOptions = (
  companies: readonly Pick<Company, 'cpfCnpjRaiz' | 'nome'>[],
): readonly Option[] => companies.map(({ cpfCnpjRaiz, nome }) => optionOf(cpfCnpjRaiz, nome));

export const userOptions = (users: readonly User[]): readonly Option[] =>
  users.map(({ documento, nome }) => optionOf(documento, nome));
