/**
 * Confirms the removal of links, or asks another person to remove them. For many links the page of results
 * shows the outcome of each.
 */
import type { ImportStarted, PagedLink } from '../api/answers.ts';
import type { Result } from '../api/result.ts';
import { useRight } from '../api/session.ts';
import { useOpenImport } from '../api/use-open-import.ts';
import { countryName } from '../ui/countries.ts';
import { ConfirmSending } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.tsx';
import { type LinkRequest, keyOf, makerText } from './maker.ts';
import { proposeLink, sendMany, unlinkOne } from './send.ts';

const NAMED_MAX = 5;

export function Unlinking(props: {
  readonly cpfCnpjRaiz: string;
  readonly links: readonly PagedLink[];
  /** Called when a single link was removed. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const { cpfCnpjRaiz, links, onDone, onClose } = props;
  const openImport = useOpenImport();
  const mayApprove = useRight('aprovacao', cpfCnpjRaiz);
  const send = (): Promise<Result<LinkRequest | ImportStarted>> => {
    const [only] = links;
    if (links.length !== 1 || only === undefined)
      return sendMany(links, { cpfCnpjRaiz, vincular: false, simular: !mayApprove });
    return mayApprove ? unlinkOne(cpfCnpjRaiz, only) : proposeLink(cpfCnpjRaiz, only, 'unlink');
  };
  const linkCountText = links.length === 1 ? '' : ` ${links.length}`;
  return (
    <ConfirmSending
      title={mayApprove ? `Desvincular${linkCountText}?` : `Propor que se desvincule${linkCountText}?`}
      action={mayApprove ? 'Desvincular' : links.length === 1 ? 'Propor' : 'Conferir e propor'}
      danger={mayApprove}
      send={send}
      onDone={(result) => {
        if ('id' in result) return openImport(result.id, cpfCnpjRaiz);
        toast('1 vínculo desfeito.');
        onDone();
      }}
      onClose={onClose}
    >
      <ul class="plain">
        {links.slice(0, NAMED_MAX).map((link) => (
          <li key={keyOf(link)}>
            <code>{link.codigoProduto}</code> <bdi>{link.denominacao}</bdi>: <bdi>{makerText(link)}</bdi>,{' '}
            {countryName(link.codigoPais)}
          </li>
        ))}
      </ul>
      {links.length > NAMED_MAX && <p>e mais {links.length - NAMED_MAX}.</p>}
      {!mayApprove && <p>Continuam a valer até que outra pessoa, com o papel de aprovação, decida.</p>}
      <p>Deixam de valer no fim de hoje. A consulta por data continua a mostrar como estavam antes.</p>
    </ConfirmSending>
  );
}
