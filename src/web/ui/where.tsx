/** Whose catalogue, and which environment: in the title of the tab and in every confirmation (contract section 17). */
import { createContext, type JSX } from 'preact';
import { useContext, useLayoutEffect } from 'preact/hooks';
import { instance } from '../api/instance.ts';
import { ambienteName, numberText } from '../words.ts';

export interface WhereCompany {
  readonly cpfCnpjRaiz: string;
  readonly nome: string;
}

/** `undefined` on pages that are of no company. */
export const Where = createContext<WhereCompany | undefined>(undefined);

/** What the tab is called: the page first, since a narrow tab shows no more. */
export function useTitle(title: string): void {
  const company = useContext(Where);
  const text = [title, company?.nome, ambienteName(instance.ambiente), 'catp'].filter(Boolean).join(' · ');
  useLayoutEffect(() => {
    document.title = text;
  }, [text]);
}

export function WhereLine(): JSX.Element {
  const company = useContext(Where);
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

/** The whole name and the number, with the colour that only helps to see it. */
export const CompanyName = ({ cpfCnpjRaiz, nome }: WhereCompany): JSX.Element => (
  <span class="company-name" style={{ '--hue': hueOf(cpfCnpjRaiz) }}>
    <bdi>{nome}</bdi> <span class="company-number">{numberText(cpfCnpjRaiz)}</span>
  </span>
);

/** Coprime to the circle and near its golden section: numbers that follow each other are far apart in colour. */
const STEP_DEGREES = 137;

/** The place in the circle of colours that a company's number gives it, the same in every browser. */
const hueOf = (cpfCnpjRaiz: string): number =>
  Array.from(cpfCnpjRaiz).reduce((hue, sign) => ((hue + sign.charCodeAt(0)) * STEP_DEGREES) % 360, 0);
