/** The page of what waits for a decision in a company (contract section 27). */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import type { ImportProgress, Proposal } from '../api/answers.ts';
import { useSession, useRight } from '../api/session.ts';
import { useCompany } from '../api/use-company.ts';
import { useFilters } from '../api/use-filters.ts';
import { useResource } from '../api/use-resource.ts';
import { ImportResults } from '../importar/importacao/results.tsx';
import { IMPORTS } from '../importar/kinds.ts';
import { Actions, Button } from '../ui/button.tsx';
import { Card, Fetched, Page } from '../ui/page.tsx';
import { Empty } from '../ui/table.tsx';
import { useFocusKept } from '../ui/use-focus-kept.ts';
import { counted, moment } from '../words.ts';
import { Decide, Withdraw } from './decide.tsx';
import { PROPOSALS, countsText, personText } from './proposals.ts';

const LISTED = 1000;

export default function ApprovalPage(): JSX.Element {
  const company = useCompany();
  const waiting = useResource<readonly Proposal[]>(PROPOSALS, {
    query: { cpfCnpjRaiz: company, state: 'awaiting', limit: LISTED },
  });
  return (
    <Page title="Aprovar" about="O que outras pessoas propõem para o catálogo desta empresa.">
      <Fetched of={waiting}>
        {(proposals) =>
          proposals.length === 0 ? (
            <Empty>Nenhuma proposta espera uma decisão.</Empty>
          ) : (
            <Queue key={company} proposals={proposals.toReversed()} onDecided={waiting.reload} />
          )
        }
      </Fetched>
    </Page>
  );
}

/** The oldest proposal comes first. One at a time is open, with its rows. */
function Queue({
  proposals,
  onDecided,
}: {
  readonly proposals: readonly Proposal[];
  readonly onDecided: () => void;
}): JSX.Element {
  const [{ proposta }, setFilters] = useFilters(['proposta']);
  const open = proposals.find(({ id }) => String(id) === proposta) ?? proposals[0];
  useFocusKept(String(open?.id ?? ''));
  return (
    <>
      <p class="muted">{counted(proposals.length, 'proposta espera', 'propostas esperam')} uma decisão.</p>
      <ul class="plain stack">
        {proposals.map((proposal) => (
          <li key={proposal.id}>
            <Waiting
              proposal={proposal}
              isOpen={proposal === open}
              onOpen={() => setFilters({ proposta: String(proposal.id) })}
              onDecided={() => {
                setFilters({ proposta: '' });
                onDecided();
              }}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

interface WaitingProps {
  readonly proposal: Proposal;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onDecided: () => void;
}

function Waiting({ proposal, isOpen, onOpen, onDecided }: WaitingProps): JSX.Element {
  const { id, cpfCnpjRaiz, fileName, by, byName, at, note } = proposal;
  const { documento } = useSession();
  const approves = useRight('aprovacao', cpfCnpjRaiz);
  const isOwn = by === documento;
  return (
    <Card title={`${id}: ${fileName}`}>
      <p>
        Proposta por <bdi>{personText(byName, by)}</bdi> em {moment(at)}: {countsText(proposal)}.
      </p>
      {note !== null && (
        <p>
          <bdi>“{note}”</bdi>
        </p>
      )}
      <Actions>
        {approves && !isOwn && <Decide proposal={proposal} onDecided={onDecided} />}
        {isOwn && <Withdraw proposal={proposal} onDone={onDecided} />}
        {!isOpen && <Button onPress={onOpen}>Ver o que mudaria</Button>}
        <Link class="button quiet" href={`/importar/${id}?cpfCnpjRaiz=${cpfCnpjRaiz}`}>
          Abrir a simulação
        </Link>
      </Actions>
      {isOwn && approves && <p class="muted">O que você propôs, outra pessoa decide.</p>}
      {isOpen && <Rows id={id} />}
    </Card>
  );
}

/** The rows of the dry run, before and after. */
function Rows({ id }: { readonly id: number }): JSX.Element {
  const job = useResource<ImportProgress>(`${IMPORTS}/${id}`);
  return (
    <Fetched of={job}>
      {(progress) => <ImportResults key={id} job={progress} isOwn={false} onForgotten={job.reload} />}
    </Fetched>
  );
}
