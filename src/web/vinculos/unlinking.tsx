/** Asks before links are taken away; of many the page of results tells what became of each. */
import type { JSX } from 'preact';
import { useLocation } from 'wouter-preact';
import type { PagedLink } from '../api/answers.ts';
import { useAction } from '../api/use-action.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.tsx';
import { keyOf, makerText } from './maker.ts';
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
  /** The only one is gone. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}): JSX.Element {
  const [, navigate] = useLocation();
  const one = useAction((link: PagedLink) => unlinkOne(cpfCnpjRaiz, link));
  const many = useAction(() => sendMany(links, { cpfCnpjRaiz, vincular: false }));
  const confirm = async (): Promise<void> => {
    const [only] = links;
    if (links.length === 1 && only !== undefined) {
      if ((await one.run(only)) === undefined) return;
      toast('1 vínculo desfeito.');
      return onDone();
    }
    const started = await many.run();
    if (started !== undefined) navigate(`/importar/${started.id}?cpfCnpjRaiz=${cpfCnpjRaiz}`);
  };
  return (
    <Confirm
      title={links.length === 1 ? 'Desvincular?' : `Desvincular ${links.length}?`}
      action="Desvincular"
      danger
      busy={one.busy || many.busy}
      onConfirm={() => void confirm()}
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
      <ErrorAlert error={one.error ?? many.error} />
    </Confirm>
  );
}
