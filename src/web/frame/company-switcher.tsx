/** Shows the company of all pages with its full name, also on phones and in print, and changes it. */
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { Session } from '../api/answers.ts';
import { companyOf, useCompanyChoice } from '../api/use-company.ts';
import { Combobox } from '../ui/combobox.tsx';
import { companyOptions } from '../ui/company-options.ts';
import type { Option } from '../ui/select.tsx';
import { CompanyName } from '../ui/company-name.tsx';
import { finder, unpointed } from '../words.ts';

const ALL = 'Todas as minhas empresas';
const ROOT_LENGTH = 8;
/** Maximum number of recent companies at the top of the list. */
const RECENT_MAX = 5;

export function CurrentCompany({ session }: { readonly session: Session }) {
  const { company, showsAllCompanies } = useCompanyChoice();
  const currentCompany = companyOf(session, company);
  if (currentCompany === undefined) return null;
  return (
    <div class="company">
      {showsAllCompanies ? <strong>{ALL}</strong> : <CompanyName {...currentCompany} />}
    </div>
  );
}

/** Finds a company by words of its name or by its CNPJ; the most recent ones are at the top. */
export function CompanyFinder({ session }: { readonly session: Session }) {
  const { company, choose, showsAllCompanies, recent } = useCompanyChoice();
  const [, navigate] = useLocation();
  const [typedText, setTypedText] = useState('');
  const { companies } = session;
  if (companies.length < 2) return null;
  const all = companyOptions(companies);
  const last = recent
    .filter((recentCompany) => recentCompany !== company)
    .flatMap((recentCompany) => all.filter(({ value }) => value === recentCompany))
    .slice(0, RECENT_MAX);
  const current = all.filter(({ value }) => value === company);
  const ordered = [...new Set([ALL_OPTION, ...last, ...current, ...all])];
  return (
    <Combobox
      label="Empresa"
      value={showsAllCompanies ? ALL : company}
      onChange={(selection) => {
        if (selection === ALL) navigate('/');
        else if (selection !== '') choose(selection);
      }}
      onSearch={setTypedText}
      options={typedText.trim() === '' ? ordered : all.filter(hasText(typedText))}
    />
  );
}

const ALL_OPTION: Option = { value: ALL, label: ALL };

function hasText(typedText: string): (option: Option) => boolean {
  const has = finder(typedText);
  const root = unpointed(typedText.trim()).toUpperCase().slice(0, ROOT_LENGTH);
  return ({ value, code = '', label }) =>
    has(`${value} ${code} ${label}`) || (root.length === ROOT_LENGTH && value === root);
}

/** Handles the key `c`: focuses the field, whose list opens. */
export function openCompanies(): void {
  const field = document.querySelector<HTMLElement>('.side-body .combobox input');
  field?.focus();
  field?.click();
}
