/** NCM in readable form: formatted code and description (contract section 20). */
import { ncmWords, plainWords } from '../../catalogue/members/ncm-words.ts';
import type { NcmWords } from '../api/answers.ts';
import { useNcmWords } from '../api/use-ncm-words.ts';
import { dayText, ncmText } from '../words.ts';

/** Returns the complete description, from the chapter down. */
const fullDescription = ({ descricao, path }: NcmWords): string =>
  [...path, descricao].map(plainWords).join(' › ');

/** Shows the description as a tooltip. */
export function Ncm({ code }: { readonly code: string }) {
  const words = useNcmWords([code]).get(code);
  return <span title={words && fullDescription(words)}>{ncmText(code)}</span>;
}

/** Description of an NCM. Renders nothing if it is unknown. */
export function NcmDescription({ code }: { readonly code: string }) {
  const words = useNcmWords([code]).get(code);
  if (words === undefined) return null;
  return (
    <bdi class="muted" title={fullDescription(words)}>
      {ncmWords(words)}
    </bdi>
  );
}

/** Notice that the NCM ends or has ended. No product is refused for it. */
export function NcmEnd({ code }: { readonly code: string }) {
  const endsOn = useNcmWords([code]).get(code)?.endsOn;
  if (endsOn == null) return null;
  return (
    <>
      Na nomenclatura a NCM {ncmText(code)} só vale até {dayText(endsOn)}; depois, use a que a substitui.
    </>
  );
}

/** Sentence in which each NCM has its description. */
export const WithNcms = ({ text }: { readonly text: string }) => (
  <>
    {text
      .split(/\b(\d{4}\.\d{2}\.\d{2})\b/)
      .map((part, index) => (index % 2 === 0 ? part : <Ncm key={index} code={part.replaceAll('.', '')} />))}
  </>
);
