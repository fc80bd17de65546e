/** Company and environment, in the title of the tab and in every confirmation (contract section 17). */
import { createContext } from 'preact';
import { useContext, useLayoutEffect } from 'preact/hooks';
import { instance } from '../api/instance.ts';
import { ambienteName, numberText } from '../words.ts';

export interface NamedCompany {
  readonly cpfCnpjRaiz: string;
  readonly nome: string;
}

/** `undefined` on pages without a company. */
export const CompanyContext = createContext<NamedCompany | undefined>(undefined);

/** Sets the title of the tab. The page comes first, since a narrow tab shows nothing else. */
export function useTitle(title: string): void {
  const company = useContext(CompanyContext);
  const text = [title, company?.nome, ambienteName(instance.ambiente), 'catp'].filter(Boolean).join(' · ');
  useLayoutEffect(() => {
    document.title = text;
  }, [text]);
}

export function CompanyLine() {
  const company = useContext(CompanyContext);
  return (
    <p class="where">
      {company !== undefined && (
        <>
          <CompanyName {...company} /> ·{' '}
        </>
      )}
      {ambienteName(instance.ambiente)}
    </p>
  );
}

/** Complete name and number of a company. The colour is only an additional aid. */
export const CompanyName = ({ cpfCnpjRaiz, nome }: NamedCompany) => (
  <span class="company-name" style={{ '--hue': hueOf(cpfCnpjRaiz) }}>
    <bdi>{nome}</bdi> <span class="company-number">{numberText(cpfCnpjRaiz)}</span>
  </span>
);

/** Coprime to 360 and near the golden angle: consecutive numbers get very different hues. */
const STEP_DEGREES = 137;

/** Returns the hue of a company from its number, in degrees. It is the same in every browser. */
const hueOf = (cpfCnpjRaiz: string): number =>
  Array.from(cpfCnpjRaiz).reduce((hue, sign) => ((hue + sign.charCodeAt(0)) * STEP_DEGREES) % 360, 0);
