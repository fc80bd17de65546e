/** Who changed what, from the newest change to the oldest. */
import type { JSX } from 'preact';
import type { AuditEntry } from '../api/answers.ts';
import { useFilters } from '../api/use-filters.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { DayInput } from '../ui/day-input.tsx';
import { Input } from '../ui/field.tsx';
import { FilterBar } from '../ui/page.tsx';
import { Skeleton } from '../ui/progress.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { useFollowing } from '../ui/use-following.ts';
import { second } from '../words.ts';
import { ACTION_WORDS, CHANNEL_WORDS, changeText } from './audit-words.ts';
import { useAudit } from './use-audit.ts';

export function Audit(): JSX.Element {
  const [filters, setFilters] = useFilters(['since', 'actor', 'subject']);
  // The address may change by itself: a link, the way back.
  const [typed, setTyped] = useFollowing(filters);
  const type = (some: Partial<typeof filters>): void => setTyped((before) => ({ ...before, ...some }));
  const { rows, ready, isWhole, error, busy, more, retry } = useAudit(filters);
  return (
    <div class="stack">
      <FilterBar onFilter={() => setFilters(typed)}>
        <DayInput
          label="Desde"
          value={typed.since}
          error={error?.problems.find(({ place }) => place === 'since')?.message}
          onChange={(since) => type({ since })}
        />
        <Input
          label="Quem"
          placeholder="CPF, sistema, linha de comando"
          value={typed.actor}
          onChange={(actor) => type({ actor })}
        />
        <Input
          label="Assunto"
          placeholder="produto 12345678/7"
          value={typed.subject}
          onChange={(subject) => type({ subject })}
        />
      </FilterBar>
      <ErrorAlert error={error} onRetry={retry} />
      {ready && (
        <Table
          caption="Trilha de auditoria"
          columns={COLUMNS}
          rows={rows}
          rowKey={({ seq }) => seq}
          empty="Nenhuma mudança com esses filtros."
        />
      )}
      {!ready && error === undefined && <Skeleton />}
      {ready && !isWhole && (
        <Button busy={busy} onPress={more}>
          Mostrar mais
        </Button>
      )}
    </div>
  );
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  { key: 'seq', title: 'Nº', code: true, align: 'right', cell: ({ seq }) => seq },
  { key: 'at', title: 'Quando', cell: ({ at }) => <span class="administration-word">{second(at)}</span> },
  {
    key: 'actor',
    title: 'Quem',
    cell: ({ actor, key }) => (
      <>
        <bdi class="administration-word">{actor}</bdi>
        {key !== null && <div class="muted">chave {key}</div>}
      </>
    ),
  },
  {
    key: 'channel',
    title: 'Por onde',
    cell: ({ channel }) => <span class="administration-word">{CHANNEL_WORDS[channel] ?? channel}</span>,
  },
  {
    key: 'action',
    title: 'O quê',
    cell: ({ action }) => <span class="administration-word">{ACTION_WORDS[action] ?? action}</span>,
  },
  { key: 'subject', title: 'Assunto', cell: ({ subject }) => <bdi>{subject}</bdi> },
  { key: 'versions', title: 'Versão ou mudança', code: true, cell: changeText },
];
