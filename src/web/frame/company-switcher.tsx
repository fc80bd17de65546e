/** The company that all pages are about. */
import type { JSX } from 'preact';
import type { Session } from '../api/answers.ts';
import { useCompanyChoice } from '../api/use-company.ts';
import { Combobox } from '../ui/combobox.tsx';
import { numberText } from '../words.ts';
import { Select } from '../ui/select.tsx';

/** More of them are found by typing. */
const LIST_MOST = 50;

export function CompanySwitcher({ session }: { readonly session: Session }): JSX.Element | null {
  const { company, choose } = useCompanyChoice();
  const known = session.companies;
  if (known.length === 0) return null;
  const isForeign = company !== '' && known.every(({ cpfCnpjRaiz }) => cpfCnpjRaiz !== company);
  const all = isForeign ? [...known, { cpfCnpjRaiz: company, nome: 'não representada' }] : known;
  if (all.length > LIST_MOST)
    return (
      <Combobox
        label="Empresa"
        value={company}
        onChange={(raiz) => raiz !== '' && choose(raiz)}
        options={all.map(({ cpfCnpjRaiz, nome }) => ({
          value: cpfCnpjRaiz,
          code: numberText(cpfCnpjRaiz),
          label: nome,
        }))}
      />
    );
  return (
    <Select
      label="Empresa"
      value={company}
      onChange={choose}
      options={all.map(({ cpfCnpjRaiz, nome }) => ({
        value: cpfCnpjRaiz,
        label: `${numberText(cpfCnpjRaiz)} · ${nome}`,
      }))}
    />
  );
}
