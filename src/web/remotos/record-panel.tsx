/** Shows one record of both sides next to each other. Doubtful cases are decided in this panel. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { ComparedDifference, ComparedRecord, Comparison, Remote } from '../api/answers.ts';
import { valueText } from '../sentences.ts';
import { Actions, Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { WithNcms } from '../ui/ncm.tsx';
import { Decision } from './decision.tsx';
import { StateBadge } from './state-badge.tsx';
import { KINDS, STATES, rewordSentence } from './words.ts';

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

export function RecordPanel(props: RecordPanelProps): JSX.Element {
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
function LocalRecord({
  record: { kind, codigo },
  company,
}: {
  readonly record: ComparedRecord;
  readonly company: string;
}): JSX.Element {
  if (codigo === null) return <>não está</>;
  const pages = kind === 'operador' ? 'operadores' : 'produtos';
  return (
    <Link href={`/${pages}/${company}/${encodeURIComponent(codigo)}`}>
      <code>{codigo}</code>
    </Link>
  );
}

const valueOf = (member: string, value: string | null): JSX.Element =>
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
function Base({ member, base }: ComparedDifference): JSX.Element {
  if (base === null) return <span class="muted">não se sabe</span>;
  if (base.here === base.there || base.there === null) return valueOf(member, base.here);
  return (
    <>
      aqui {valueOf(member, base.here)}, lá {valueOf(member, base.there)}
    </>
  );
}
