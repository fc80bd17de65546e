/** An NCM as people know it: its code with its points, and what it is (contract section 20). */
import type { JSX } from 'preact';
import { ncmWords, plainWords } from '../../catalogue/members/ncm-words.ts';
import type { NcmWords } from '../api/answers.ts';
import { useNcmWords } from '../api/use-ncm-words.ts';
import { day, ncmText } from '../words.ts';

/** All of it, from the chapter down. */
const wholeWords = ({ descricao, path }: NcmWords): string =>
  [...path, descricao].map(plainWords).join(' › ');

/** With its words where somebody points at it. */
export function Ncm({ code }: { readonly code: string }): JSX.Element {
  const words = useNcmWords([code]).get(code);
  return <span title={words && wholeWords(words)}>{ncmText(code)}</span>;
}

/** What it is; nothing where nobody knows. */
export function NcmDescription({ code }: { readonly code: string }): JSX.Element | null {
  const words = useNcmWords([code]).get(code);
  if (words === undefined) return null;
  return (
    <bdi class="muted" title={wholeWords(words)}>
      {ncmWords(words)}
    </bdi>
  );
}

/** That it ends, or has ended. No product is refused for it. */
export function NcmEnd({ code }: { readonly code: string }): JSX.Element | null {
  const endsOn = useNcmWords([code]).get(code)?.endsOn;
  if (endsOn == null) return null;
  return (
    <>
      Na nomenclatura a NCM {ncmText(code)} só vale até {day(endsOn)}; depois, use a que a substitui.
    </>
  );
}

/** A sentence: each NCM in it has its words. */
export const WithNcms = ({ text }: { readonly text: string }): JSX.Element => (
  <>
    {text
      .split(/\b(\d{4}\.\d{2}\.\d{2})\b/)
      .map((part, at) => (at % 2 === 0 ? part : <Ncm key={at} code={part.replaceAll('.', '')} />))}
  </>
);
