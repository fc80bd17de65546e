/** Shows proposals that wait for a decision: those for a record on its page, the user's own on the panel. */
import { Link } from 'wouter-preact';
import type { ImportProgress, Proposal } from '../api/answers.ts';
import { useSession } from '../api/session.ts';
import { useResource } from '../api/use-resource.ts';
import { Notice } from '../ui/alert.tsx';
import { Card } from '../ui/page.tsx';
import { momentText } from '../words.ts';
import { PROPOSALS, countsText, personText, stateText } from './proposals.ts';

/** Names the proposals that would change a record. For a link, `codigo` is the code of its product. */
export function WaitingForRecord(props: {
  readonly cpfCnpjRaiz: string;
  readonly tipo: ImportProgress['tipo'];
  readonly codigo: string;
}) {
  const { cpfCnpjRaiz, tipo, codigo } = props;
  const waiting = useResource<readonly Proposal[]>(PROPOSALS, {
    query: { cpfCnpjRaiz, tipo, codigo, state: 'awaiting' },
  });
  if (waiting.value === undefined || waiting.value.length === 0) return null;
  return (
    <Notice tone="calm">
      <ul class="plain">
        {waiting.value.map(({ id, fileName, by, byName, at }) => (
          <li key={id}>
            <Link href={`/aprovar?cpfCnpjRaiz=${cpfCnpjRaiz}&proposta=${id}`}>
              Proposta {id} (<bdi>{fileName}</bdi>)
            </Link>{' '}
            de <bdi>{personText(byName, by)}</bdi>, de {momentText(at)}, mudaria este registro e espera uma
            decisão.
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const OWN_LISTED = 200;
const OWN_MAX = 5;

/** Lists the user's own proposals that wait. A rejected proposal is an attention item instead. */
export function OwnProposals({ company }: { readonly company: string }) {
  const { documento } = useSession();
  const waiting = useResource<readonly Proposal[]>(PROPOSALS, {
    query: { cpfCnpjRaiz: company, state: 'awaiting', limit: OWN_LISTED },
  });
  const own = (waiting.value ?? []).filter(({ by }) => by === documento);
  if (own.length === 0) return null;
  return (
    <Card title="Suas propostas">
      <ul class="plain stack">
        {own.slice(0, OWN_MAX).map((proposal) => (
          <li key={proposal.id}>
            <Link href={`/importar/${proposal.id}?cpfCnpjRaiz=${company}`}>
              <bdi>{proposal.fileName}</bdi>
            </Link>
            : {countsText(proposal)}. <bdi>{stateText(proposal)}</bdi>
          </li>
        ))}
      </ul>
    </Card>
  );
}
