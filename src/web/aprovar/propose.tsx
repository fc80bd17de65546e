/** Proposes a dry run from its page, and shows the state of the proposal. */
import { useState } from 'preact/hooks';
import type { ImportProgress, ImportStarted, Proposal } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useForm } from '../api/use-form.ts';
import { useSession } from '../api/session.ts';
import { useResource } from '../api/use-resource.ts';
import { IMPORTS } from '../importar/kinds.ts';
import { Notice } from '../ui/alert.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { TextArea } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { toast } from '../ui/toast.tsx';
import { Withdraw } from './decide.tsx';
import { PROPOSALS, stateText } from './proposals.ts';

const NOTE_MAX = 500;

export function Propose({ id, onProposed }: { readonly id: number; readonly onProposed: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const form = useForm({ note: '' });
  const propose = async (): Promise<void> => {
    const started = await form.submit(({ note }) =>
      api.post<ImportStarted>(`${IMPORTS}/${id}/propose`, note.trim() === '' ? {} : { note }),
    );
    if (started === undefined) return;
    setOpen(false);
    toast(`Proposta ${id} enviada; quem pode aprovar a vê em Aprovar.`);
    onProposed();
  };
  return (
    <>
      <Button kind="primary" onPress={() => setOpen(true)}>
        Propor
      </Button>
      {isOpen && (
        <FormDialog
          title="Propor esta simulação"
          form={form}
          action="Propor"
          onSave={propose}
          onClose={() => setOpen(false)}
        >
          <p>
            Outra pessoa, com o papel de aprovação, vê o que mudaria e decide. Até lá nada é gravado, e as
            linhas ficam guardadas.
          </p>
          <TextArea
            label="O que quem decide deve saber"
            help="Pode ficar vazio."
            max={NOTE_MAX}
            {...form.field('note')}
          />
        </FormDialog>
      )}
    </>
  );
}

/** Shows the state of the proposal of a dry run. Renders nothing for a dry run that was never proposed. */
export function ProposalState(props: { readonly job: ImportProgress; readonly onChanged: () => void }) {
  const { id, state, cpfCnpjRaiz } = props.job;
  const { onChanged } = props;
  const { documento } = useSession();
  // Requested again when the dry run becomes a proposal, or stops being one.
  const proposals = useResource<readonly Proposal[]>(cpfCnpjRaiz === null ? undefined : PROPOSALS, {
    query: { cpfCnpjRaiz: cpfCnpjRaiz ?? '', id, ...(state === 'awaiting' && { state }) },
  });
  const [proposal] = proposals.value ?? [];
  if (proposal === undefined) return null;
  return (
    <Notice tone={proposal.state === 'rejected' ? 'warn' : 'calm'}>
      <p>
        <bdi>{stateText(proposal)}</bdi>
      </p>
      {proposal.importId !== null && (
        <LinkButton href={`/importar/${proposal.importId}?cpfCnpjRaiz=${proposal.cpfCnpjRaiz}`}>
          Ver a importação {proposal.importId}
        </LinkButton>
      )}
      {proposal.state === 'awaiting' && proposal.by === documento && (
        <Withdraw
          proposal={proposal}
          onDone={() => {
            proposals.reload();
            onChanged();
          }}
        />
      )}
    </Notice>
  );
}
