/** Confirms the removal of links. For many links the page of results shows the outcome of each. */
import type { JSX } from 'preact';
import { useLocation } from 'wouter-preact';
import type { ImportStarted, PagedLink } from '../api/answers.ts';
import type { Result } from '../api/result.ts';
import { ConfirmSending } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.tsx';
import { type LinkRequest, keyOf, makerText } from './maker.ts';
import { sendMany, unlinkOne } from './send.ts';

const NAMED_MOST = 5;

export function Unlinking({
  cpfCnpjRaiz,
  links,
  onDone,
  onClose,
}: {
  readonly cpfCnpjRaiz: string;
  readonly links: readonly PagedLink[];
  /** Called when a single link was removed. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}): JSX.Element {
  const [, navigate] = useLocation();
  const send = (): Promise<Result<LinkRequest | ImportStarted>> => {
    const [only] = links;
    return links.length === 1 && only !== undefined
      ? unlinkOne(cpfCnpjRaiz, only)
      : sendMany(links, { cpfCnpjRaiz, vincular: false });
  };
  return (
    <ConfirmSending
      title={links.length === 1 ? 'Desvincular?' : `Desvincular ${links.length}?`}
      action="Desvincular"
      danger
      send={send}
      onDone={(done) => {
        if ('id' in done) return navigate(`/importar/${done.id}?cpfCnpjRaiz=${cpfCnpjRaiz}`);
        toast('1 vínculo desfeito.');
        onDone();
      }}
      onClose={onClose}
    >
      <ul class="plain">
        {links.slice(0, NAMED_MOST).map((link) => (
          <li key={keyOf(link)}>
            <code>{link.codigoProduto}</code> <bdi>{link.denominacao}</bdi>: <bdi>{makerText(link)}</bdi> (
            {link.codigoPais})
          </li>
        ))}
      </ul>
      {links.length > NAMED_MOST && <p>e mais {links.length - NAMED_MOST}.</p>}
      <p>Deixam de valer no fim de hoje. A consulta por data continua a mostrar como estavam antes.</p>
    </ConfirmSending>
  );
}
