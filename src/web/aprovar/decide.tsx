/** The buttons that decide about a proposal, and the one that withdraws it. */
import { useState } from 'preact/hooks';
import type { ImportStarted, Proposal } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { type ApiError, resultOf } from '../api/result.ts';
import { useForm } from '../api/use-form.ts';
import { useExpected } from '../importar/expected.tsx';
import { IMPORTS } from '../importar/kinds.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/dialog.tsx';
import { TextArea } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { toast } from '../ui/toast.tsx';
import { withCount } from '../words.ts';
import { countsText, personText } from './proposals.ts';

/** The outcome of approving several proposals. */
export interface ApprovalOutcome {
  readonly approved: number;
  /** Reasons why the other proposals still wait, each with the number of its proposal. */
  readonly refusals: readonly string[];
}

/** Approves the marked proposals one by one. A refused one does not stop the others. */
export function ApproveMarked(props: {
  readonly proposals: readonly Proposal[];
  readonly onDone: (outcome: ApprovalOutcome) => void;
}) {
  const { proposals, onDone } = props;
  const number = withCount(proposals.length, 'proposta marcada', 'propostas marcadas');
  return (
    <ConfirmButton
      label={`Aprovar ${number}`}
      kind="primary"
      disabled={proposals.length === 0}
      title={`Aprovar ${number}?`}
      action="Aprovar e gravar"
      send={async () => {
        const refusals: string[] = [];
        for (const { id } of proposals) {
          const answer = await api.post(`${IMPORTS}/${id}/approve`, {});
          if (!answer.ok) refusals.push(`Proposta ${id}: ${answer.error.message}`);
        }
        return resultOf({ approved: proposals.length - refusals.length, refusals });
      }}
      onDone={onDone}
    >
      <ul>
        {proposals.map((proposal) => (
          <li key={proposal.id}>
            {proposal.id}: <bdi>{proposal.fileName}</bdi> ({countsText(proposal)})
          </li>
        ))}
      </ul>
      <p>Quem grava é você. Uma proposta que o servidor recusa continua a esperar, e a página diz por quê.</p>
    </ConfirmButton>
  );
}

interface DecideProps {
  readonly proposal: Proposal;
  readonly onDecided: () => void;
}

export function Decide({ proposal, onDecided }: DecideProps) {
  const [isRejecting, setRejecting] = useState(false);
  return (
    <>
      <Approve proposal={proposal} onDecided={onDecided} />
      <Button kind="danger" onPress={() => setRejecting(true)}>
        Recusar
      </Button>
      {isRejecting && (
        <Reject proposal={proposal} onDecided={onDecided} onClose={() => setRejecting(false)} />
      )}
    </>
  );
}

function Approve({ proposal, onDecided }: DecideProps) {
  const { id, by, byName } = proposal;
  const [error, setError] = useState<ApiError>();
  const { expected, fieldsOf } = useExpected();
  return (
    <ConfirmButton
      label="Aprovar"
      kind="primary"
      title={`Aprovar a proposta ${id}?`}
      action="Aprovar e gravar"
      send={async () => {
        const started = await api.post<ImportStarted>(`${IMPORTS}/${id}/approve`, {
          ...(expected !== undefined && { expected }),
        });
        if (!started.ok) setError(started.error);
        return started;
      }}
      onDone={({ id: importId }) => {
        toast(`Proposta ${id} aprovada; a importação ${importId} a grava.`);
        onDecided();
      }}
    >
      <p>
        {countsText(proposal)}. Quem propôs foi <bdi>{personText(byName, by)}</bdi>; quem grava é você. O que
        mudou depois da simulação fica como está, e a importação diz o quê.
      </p>
      {fieldsOf(error)}
    </ConfirmButton>
  );
}

const REASON_MAX = 500;

function Reject({ proposal: { id }, onDecided, onClose }: DecideProps & { readonly onClose: () => void }) {
  const form = useForm({ reason: '' });
  const reject = async (): Promise<void> => {
    const isRejected = await form.submit(async ({ reason }) => {
      const answer = await api.post(`${IMPORTS}/${id}/reject`, { reason });
      return answer.ok ? { ...answer, value: true } : answer;
    });
    if (isRejected === undefined) return;
    toast(`Proposta ${id} recusada.`);
    onDecided();
  };
  return (
    <FormDialog
      title={`Recusar a proposta ${id}`}
      form={form}
      action="Recusar"
      onSave={reject}
      onClose={onClose}
    >
      <TextArea
        label="Motivo"
        help="O autor lê o motivo, corrige e propõe de novo."
        required
        max={REASON_MAX}
        {...form.field('reason')}
      />
    </FormDialog>
  );
}

export const Withdraw = ({
  proposal: { id },
  onDone,
}: {
  readonly proposal: Pick<Proposal, 'id'>;
  readonly onDone: () => void;
}) => (
  <ConfirmButton
    label="Retirar"
    title={`Retirar a proposta ${id}?`}
    action="Retirar"
    send={() => api.post(`${IMPORTS}/${id}/withdraw`)}
    onDone={() => {
      toast(`Proposta ${id} retirada.`);
      onDone();
    }}
  >
    <p>Ninguém mais a decide, e nada é gravado. Para propor de novo, simule de novo.</p>
  </ConfirmButton>
);
