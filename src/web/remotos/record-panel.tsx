/** Shows one record of both sides next to each other. Doubtful cases are decided in this panel. */
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { ComparedDifference, ComparedRecord, Comparison, Remote, PairRequest } from '../api/answers.ts';
import { valueText } from '../sentences.ts';
import { Actions, Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { WithNcms } from '../ui/ncm.tsx';
import { api } from '../api/api.ts';
import { useRight } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { useCompany } from '../api/use-company.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Choice } from '../ui/select.tsx';
import { toast } from '../ui/toast.tsx';
import { StateBadge } from './state-badge.tsx';
import { KINDS, STATES, rewordSentence, COMPARISONS } from './words.ts';

export interface RecordPanelProps {
  readonly remote: Remote;
  readonly company: string;
  readonly comparison: Comparison;
  readonly record: ComparedRecord;
  /** Opens the next record of the list. */
  readonly onNext: (() => void) | undefined;
  readonly onDecided: () => void;
  readonly onClose: () => void;
}

export function RecordPanel(props: RecordPanelProps) {
  const { remote, company, comparison, onNext, onDecided, onClose } = props;
  // Holds the state after a decision while the list is loaded again.
  const [record, setRecord] = useState(props.record);
  const { kind, name, state, reason, differences } = record;
  return (
    <Dialog title={name} side onClose={onClose}>
      <p>
        <StateBadge state={state} /> {STATES[state].meaning} {STATES[state].action}
      </p>
      {reason !== null && (
        <p>
          <strong>Motivo:</strong> <WithNcms text={rewordSentence(reason)} />
        </p>
      )}
      <dl class="remote-facts">
        <dt>{kind === 'vinculo' ? 'Produto aqui' : `${KINDS[kind][0]} aqui`}</dt>
        <dd>
          <LocalRecord record={record} company={company} />
        </dd>
        <dt>{kind === 'vinculo' ? `Produto em ${remote.name}` : `Em ${remote.name}`}</dt>
        <dd>
          {record.remoteCodigo === null ? (
            'não está'
          ) : (
            <>
              <code>{record.remoteCodigo}</code>
              {record.remoteVersao !== null && ` versão ${record.remoteVersao}`}
            </>
          )}
        </dd>
      </dl>
      {differences.length > 0 && (
        <Table
          caption="Em que os dois lados diferem"
          columns={COLUMNS}
          rows={differences}
          rowKey={({ member }) => member}
        />
      )}
      <Decision
        comparison={comparison}
        record={record}
        onDecided={(decided) => {
          setRecord(decided);
          onDecided();
        }}
      />
      <Actions>
        {onNext !== undefined && <Button onPress={onNext}>Próximo</Button>}
        <Button onPress={onClose}>Fechar</Button>
      </Actions>
    </Dialog>
  );
}

/** Shows the local record as a link to its page. A manufacturer link has none, so it leads to its product. */
function LocalRecord(props: { readonly record: ComparedRecord; readonly company: string }) {
  const { kind, codigo } = props.record;
  const { company } = props;
  if (codigo === null) return <>não está</>;
  const pages = kind === 'operador' ? 'operadores' : 'produtos';
  return (
    <Link href={`/${pages}/${company}/${encodeURIComponent(codigo)}`}>
      <code>{codigo}</code>
    </Link>
  );
}

const valueOf = (member: string, value: string | null) =>
  value === null || value === '' ? <span class="muted">nada</span> : <bdi>{valueText(member, value)}</bdi>;

const COLUMNS: readonly Column<ComparedDifference>[] = [
  { key: 'member', title: 'Campo', cell: ({ heading }) => <strong>{heading}</strong> },
  { key: 'here', title: 'Aqui', cell: ({ member, here }) => valueOf(member, here) },
  { key: 'there', title: 'Lá', cell: ({ member, there }) => valueOf(member, there) },
  { key: 'base', title: 'Quando eram iguais', cell: Base },
];

/**
 * Shows the base text of each side. A remote may have trimmed or converted a text, so the two sides may store
 * the same base differently.
 */
function Base({ member, base }: ComparedDifference) {
  if (base === null) return <span class="muted">não se sabe</span>;
  if (base.here === base.there || base.there === null) return valueOf(member, base.here);
  return (
    <>
      aqui {valueOf(member, base.here)}, lá {valueOf(member, base.there)}
    </>
  );
}

interface DecisionProps {
  readonly comparison: Comparison;
  readonly record: ComparedRecord;
  readonly onDecided: (decided: ComparedRecord) => void;
}

/**
 * Offers the decisions that only a person can take: which remote record matches this one, or which content is
 * right.
 */
function Decision(props: DecisionProps) {
  const mayApprove = useRight('aprovacao', useCompany());
  if (!mayApprove) return null;
  const { state, kind } = props.record;
  if (kind === 'vinculo') return null;
  if (state === 'ambiguo') return <PairChoice {...props} />;
  return state === 'mudouNosDois' ? <ContentChoice {...props} /> : null;
}

const useDecision = ({ comparison, record, onDecided }: DecisionProps) =>
  useAction(
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

const NO_PAIR = '';

function PairChoice(props: DecisionProps) {
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

function ContentChoice(props: DecisionProps) {
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
