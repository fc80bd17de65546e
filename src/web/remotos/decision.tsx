/**
 * Offers the decisions that only a person can take: which remote record matches this one, or which content is
 * right.
 */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ComparedRecord, Comparison, PairRequest } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useRight } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { useCompany } from '../api/use-company.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Choice } from '../ui/select.tsx';
import { toast } from '../ui/toast.tsx';
import { COMPARISONS } from './words.ts';

interface DecisionProps {
  readonly comparison: Comparison;
  readonly record: ComparedRecord;
  readonly onDecided: (decided: ComparedRecord) => void;
}

export function Decision(props: DecisionProps): JSX.Element | null {
  const mayApprove = useRight('aprovacao', useCompany());
  if (!mayApprove) return null;
  const { state, kind } = props.record;
  if (kind === 'vinculo') return null;
  if (state === 'ambiguo') return <PairChoice {...props} />;
  return state === 'mudouNosDois' ? <ContentChoice {...props} /> : null;
}

function useDecision({ comparison, record, onDecided }: DecisionProps) {
  return useAction(
    (remoteCodigo: string | null, keep?: NonNullable<PairRequest['keep']>) =>
      api.post<ComparedRecord>(`${COMPARISONS}/${comparison.id}/pairs`, {
        kind: record.kind,
        codigo: record.codigo,
        remoteCodigo,
        ...(keep !== undefined && { keep }),
      }),
    (decided) => {
      toast('Decidido; vale também para as próximas comparações.');
      onDecided(decided);
    },
  );
}

const NO_PAIR = '';

function PairChoice(props: DecisionProps): JSX.Element {
  const { candidates } = props.record;
  const [selectedCode, setSelectedCode] = useState<string>();
  const deciding = useDecision(props);
  return (
    <section class="stack">
      <Choice
        label="Qual registro de lá é este?"
        name="remoteCodigo"
        value={selectedCode ?? '?'}
        onChange={setSelectedCode}
        options={[
          ...candidates.map(({ remoteCodigo, name, situacao }) => ({
            value: remoteCodigo,
            label: `${remoteCodigo} ${name}`,
            hint: situacao === 'DESATIVADO' ? 'Desativado lá' : '',
          })),
          { value: NO_PAIR, label: 'Nenhum deles', hint: 'É novo lá: enviar o inclui.' },
        ]}
      />
      <ErrorAlert error={deciding.error} />
      <Actions>
        <Button
          kind="primary"
          isBusy={deciding.isBusy}
          disabled={selectedCode === undefined}
          onPress={() => void deciding.run(selectedCode === NO_PAIR ? null : (selectedCode ?? null))}
        >
          Decidir
        </Button>
      </Actions>
    </section>
  );
}

function ContentChoice(props: DecisionProps): JSX.Element {
  const { remoteCodigo, differences } = props.record;
  const deciding = useDecision(props);
  // Without a common base nothing proves that both are the same record.
  const isFirst = differences.every(({ base }) => base === null);
  return (
    <section class="stack">
      <h3>Qual conteúdo vale?</h3>
      <ErrorAlert error={deciding.error} />
      <Actions>
        <Button
          kind="primary"
          isBusy={deciding.isBusy}
          onPress={() => void deciding.run(remoteCodigo, 'here')}
        >
          Vale o daqui
        </Button>
        <Button isBusy={deciding.isBusy} onPress={() => void deciding.run(remoteCodigo, 'there')}>
          Vale o de lá
        </Button>
        {isFirst && (
          <Button kind="bare" isBusy={deciding.isBusy} onPress={() => void deciding.run(null)}>
            São registros diferentes
          </Button>
        )}
      </Actions>
      <p class="muted">
        Nada muda por isso: o daqui passa a poder ser enviado, ou o de lá trazido.
        {isFirst && ' Se são diferentes, o daqui é novo lá.'}
      </p>
    </section>
  );
}
