/** The company that `--empresa` names. */
import { isCompany } from '../validation/company.ts';
import { catalogueRules } from '../catalogue/rules.ts';
import { OperatorError, UsageError } from '../errors.ts';
import { formatValue } from '../validation/format-value.ts';
import type { OpenFolder } from './open.ts';

/**
 * Returns the roots of all companies of the folder. Throws when `root` is given and is not among them.
 * `name`: the option that names it.
 */
export function companiesWith(
  { session: { accounts }, settings }: OpenFolder,
  root?: string,
  name = '--empresa',
): Set<string> {
  const companies = new Set(accounts.listCompanies().map(({ cpfCnpjRaiz }) => cpfCnpjRaiz));
  if (root === undefined || companies.has(root)) return companies;
  if (!isCompany(root, catalogueRules(settings)))
    throw new UsageError(
      `${name}: recebido ${formatValue(root)}; aceita a raiz do CNPJ (8 posições) ou o CPF (11).`,
    );
  throw new OperatorError(
    `${name}: a empresa ${formatValue(root)} não está nesta pasta de dados, que tem ${rootsText([...companies])}. Inclua-a antes com catp company add.`,
  );
}

const COMPANIES_MAX = 5;

const rootsText = (roots: readonly string[]): string =>
  roots.length === 0
    ? 'nenhuma'
    : `${roots.slice(0, COMPANIES_MAX).join(', ')}${roots.length > COMPANIES_MAX ? ' e outras' : ''}`;
