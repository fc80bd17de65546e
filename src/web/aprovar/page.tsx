/** Lists the proposals of a company that wait for a decision (contract section 27). */
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { ImportProgress, Proposal } from '../api/answers.ts';
import { useSession, useRight } from '../api/session.ts';
import { useCompany } from '../api/use-company.ts';
import { useFilters } from '../api/use-filters.ts';
import { useResource } from '../api/use-resource.ts';
import { ImportResults } from '../importar/importacao/results.tsx';
import { IMPORTS } from '../importar/kinds.ts';
import { Notice } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/field.tsx';
import { Card, ResourceView, Page } from '../ui/page.tsx';
import { EmptyList } from '../ui/table.tsx';
import { toast } from '../ui/toast.tsx';
import { useRestoreFocus } from '../ui/use-restore-focus.ts';
import { withCount, momentText } from '../words.ts';
import { ApproveMarked, Decide, type ApprovalOutcome, Withdraw } from './decide.tsx';
import { PROPOSALS, countsText, personText } from './proposals.ts';

const LISTED = 1000;

export default function ApprovalPage() {
  const company = useCompany();
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  const waiting = useResource<readonly Proposal[]>(PROPOSALS, {
    query: { cpfCnpjRaiz: company, state: 'awaiting', limit: LISTED },
  });
  return (
    <Page title="Aprovar" about="O que outras pessoas propõem para o catálogo desta empresa.">
      {refusals.length > 0 && (
        <Notice tone="bad">
          <ul>
            {refusals.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Notice>
      )}
      <ResourceView resource={waiting}>
        {(proposals) =>
          proposals.length === 0 ? (
            <EmptyList>Nenhuma proposta espera uma decisão.</EmptyList>
          ) : (
            <Queue
              key={company}
              company={company}
              proposals={proposals.toReversed()}
              onDecided={waiting.reload}
              onRefused={setRefusals}
            />
          )
        }
      </ResourceView>
    </Page>
  );
}

/** The oldest proposal comes first. One at a time is open, with its rows. */
function Queue(props: {
  readonly company: string;
  readonly proposals: readonly Proposal[];
  readonly onDecided: () => void;
  /** Called with the reasons why some of the marked proposals still wait. */
  readonly onRefused: (refusals: readonly string[]) => void;
}) {
  const { company, proposals, onDecided, onRefused } = props;
  const [{ proposta }, setFilters] = useFilters(['proposta']);
  const open = proposals.find(({ id }) => String(id) === proposta) ?? proposals[0];
  useRestoreFocus(String(open?.id ?? ''));
  const { documento } = useSession();
  const mayApprove = useRight('aprovacao', company);
  const decidable = proposals.filter(({ by }) => mayApprove && by !== documento);
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set());
  const approvedMany = ({ approved, refusals }: ApprovalOutcome): void => {
    toast(
      `${withCount(approved, 'proposta aprovada', 'propostas aprovadas')}; cada uma é gravada por uma importação.`,
    );
    setMarked(new Set());
    onRefused(refusals);
    onDecided();
  };
  return (
    <div class="stack">
      <p class="muted">{withCount(proposals.length, 'proposta espera', 'propostas esperam')} uma decisão.</p>
      {decidable.length > 1 && (
        <Actions>
          <Button
            onPress={() =>
              setMarked(marked.size < decidable.length ? new Set(decidable.map(({ id }) => id)) : new Set())
            }
          >
            {marked.size < decidable.length ? `Marcar as ${decidable.length}` : 'Desmarcar todas'}
          </Button>
          <ApproveMarked proposals={decidable.filter(({ id }) => marked.has(id))} onDone={approvedMany} />
        </Actions>
      )}
      <ul class="plain stack">
        {proposals.map((proposal) => (
          <li key={proposal.id}>
            <Waiting
              proposal={proposal}
              isOpen={proposal === open}
              mark={
                decidable.length > 1 && decidable.includes(proposal)
                  ? {
                      value: marked.has(proposal.id),
                      onChange: (value) => setMarked(toggled(marked, proposal.id, value)),
                    }
                  : undefined
              }
              onOpen={() => setFilters({ proposta: String(proposal.id) })}
              onDecided={() => {
                setFilters({ proposta: '' });
                onDecided();
              }}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

function toggled(marked: ReadonlySet<number>, id: number, value: boolean): ReadonlySet<number> {
  const next = new Set(marked);
  if (value) next.add(id);
  else next.delete(id);
  return next;
}

interface WaitingProps {
  readonly proposal: Proposal;
  readonly isOpen: boolean;
  /** `undefined`: the proposal cannot be marked. */
  readonly mark: { readonly value: boolean; readonly onChange: (value: boolean) => void } | undefined;
  readonly onOpen: () => void;
  readonly onDecided: () => void;
}

function Waiting({ proposal, isOpen, mark, onOpen, onDecided }: WaitingProps) {
  const { id, cpfCnpjRaiz, fileName, by, byName, at, note } = proposal;
  const { documento } = useSession();
  const mayApprove = useRight('aprovacao', cpfCnpjRaiz);
  const isOwn = by === documento;
  return (
    <Card title={`${id}: ${fileName}`}>
      {mark !== undefined && <Checkbox label={`Marcar a proposta ${id}`} {...mark} />}
      <p>
        Proposta por <bdi>{personText(byName, by)}</bdi> em {momentText(at)}: {countsText(proposal)}.
      </p>
      {note !== null && (
        <p>
          <bdi>“{note}”</bdi>
        </p>
      )}
      <Actions>
        {mayApprove && !isOwn && <Decide proposal={proposal} onDecided={onDecided} />}
        {isOwn && <Withdraw proposal={proposal} onDone={onDecided} />}
        {!isOpen && <Button onPress={onOpen}>Ver o que mudaria</Button>}
        <Link class="button quiet" href={`/importar/${id}?cpfCnpjRaiz=${cpfCnpjRaiz}`}>
          Abrir a simulação
        </Link>
      </Actions>
      {isOwn && mayApprove && <p class="muted">O que você propôs, outra pessoa decide.</p>}
      {isOpen && <Rows id={id} />}
    </Card>
  );
}

/** The rows of the dry run, before and after. */
function Rows({ id }: { readonly id: number }) {
  const job = useResource<ImportProgress>(`${IMPORTS}/${id}`);
  return (
    <ResourceView resource={job}>
      {(progress) => <ImportResults key={id} job={progress} isOwn={false} onForgotten={job.reload} />}
    </ResourceView>
  );
}
