/** One record, both sides beside each other; what is in doubt is decided here. */
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
import { KINDS, STATES, said } from './words.ts';

export interface RecordPanelProps {
  readonly remote: Remote;
  readonly company: string;
  readonly comparison: Comparison;
  readonly record: ComparedRecord;
  /** The next one of the list. */
  readonly onNext: (() => void) | undefined;
  readonly onDecided: () => void;
  readonly onClose: () => void;
}

export function RecordPanel(props: RecordPanelProps): JSX.Element {
  const { remote, company, comparison, onNext, onDecided, onClose } = props;
  // As it stands after a decision, while the list is asked for anew.
  const [record, setRecord] = useState(props.record);
  const { kind, name, state, reason, differences } = record;
  return (
    <Dialog title={name} side onClose={onClose}>
      <p>
        <StateBadge state={state} /> {STATES[state].means} {STATES[state].asks}
      </p>
      {reason !== null && (
        <p>
          <strong>Motivo:</strong> <WithNcms text={said(reason)} />
        </p>
      )}
      <dl class="remote-facts">
        <dt>{kind === 'vinculo' ? 'Produto aqui' : `${KINDS[kind][0]} aqui`}</dt>
        <dd>
          <Here record={record} company={company} />
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

/** The record here has a page of its own; of a link its product has. */
function Here({
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

/** A remote may have trimmed or turned a text: then both sides called the same thing differently. */
function Base({ member, base }: ComparedDifference): JSX.Element {
  if (base === null) return <span class="muted">não se sabe</span>;
  if (base.here === base.there || base.there === null) return valueOf(member, base.here);
  return (
    <>
      aqui {valueOf(member, base.here)}, lá {valueOf(member, base.there)}
    </>
  );
}
