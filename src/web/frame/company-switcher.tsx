/** Shows the company of all pages with its full name, also on phones and in print, and changes it. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Session } from '../api/answers.ts';
import { companyOf, useCompanyChoice } from '../api/use-company.ts';
import { Combobox } from '../ui/combobox.tsx';
import { companyOptions } from '../ui/parties.ts';
import { CompanyName } from '../ui/where.tsx';
import { numberText } from '../words.ts';

/** Number of companies above which the user finds one by typing. */
const LIST_MOST = 50;

const isLong = ({ companies }: Session): boolean => companies.length > LIST_MOST;

/** Shows the name under an invisible native list, because a closed list would cut the name. */
export function CompanyHere({ session }: { readonly session: Session }): JSX.Element | null {
  const { company, choose } = useCompanyChoice();
  const id = useId();
  const currentCompany = companyOf(session, company);
  if (currentCompany === undefined) return null;
  if (isLong(session))
    return (
      <div class="company">
        <CompanyName {...currentCompany} />
      </div>
    );
  const { companies } = session;
  const options = companies.some(({ cpfCnpjRaiz }) => cpfCnpjRaiz === company)
    ? companies
    : [...companies, currentCompany];
  return (
    <div class="company">
      <label for={id}>Empresa</label>
      <span aria-hidden="true">
        <CompanyName {...currentCompany} />
      </span>
      <select id={id} value={company} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {options.map(({ cpfCnpjRaiz, nome }) => (
          <option key={cpfCnpjRaiz} value={cpfCnpjRaiz}>
            {nome} · {numberText(cpfCnpjRaiz)}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Finds one of many companies by typing. */
export function CompanyFinder({ session }: { readonly session: Session }): JSX.Element | null {
  const { company, choose } = useCompanyChoice();
  if (!isLong(session)) return null;
  return (
    <Combobox
      label="Empresa"
      value={company}
      onChange={(raiz) => raiz !== '' && choose(raiz)}
      options={companyOptions(session.companies)}
    />
  );
}

/** Handles the key `c`: opens the list, or focuses the search field when there are many companies. */
export function openCompanies(): void {
  const field = document.querySelector<HTMLElement>('.company select, .side-body .combobox input');
  field?.focus();
  // Not every browser supports it.
  if (field instanceof HTMLSelectElement && 'showPicker' in field) field.showPicker();
}
