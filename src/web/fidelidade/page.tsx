/** The fidelity ledger: gaps of the specification, and how each was filled. */
import type { JSX } from 'preact';
import type { FidelityEntry } from '../api/answers.ts';
import { useFilters } from '../api/use-filters.ts';
import { useResource } from '../api/use-resource.ts';
import { Line } from '../docs/prose.tsx';
import { Badge } from '../ui/badge.tsx';
import { Input } from '../ui/field.tsx';
import { Fetched, Page } from '../ui/page.tsx';
import { Select } from '../ui/select.tsx';
import { Empty } from '../ui/table.tsx';
import { counted, finder } from '../words.ts';

const CERTAINTIES: readonly {
  readonly value: string;
  readonly label: string;
  readonly tone: 'good' | 'calm' | 'warn';
}[] = [
  { value: 'specification', label: 'especificação', tone: 'good' },
  { value: 'public interface', label: 'interface pública', tone: 'calm' },
  { value: 'ours', label: 'decisão nossa', tone: 'warn' },
];

export default function FidelityPage(): JSX.Element {
  const ledger = useResource<readonly FidelityEntry[]>('/appliance/api/fidelity');
  const [{ busca, certeza }, setFilters] = useFilters(['busca', 'certeza']);
  const has = finder(busca);
  return (
    <Page
      title="Fidelidade"
      about="O que a especificação não mostra, o que este produto faz em cada caso, por quê, e quão certo isso é."
    >
      <div class="filters" role="search">
        <Input
          label="Procurar"
          type="search"
          value={busca}
          onChange={(text) => setFilters({ busca: text }, { replace: true })}
        />
        <Select
          label="Certeza"
          value={certeza}
          onChange={(text) => setFilters({ certeza: text })}
          options={[{ value: '', label: 'Qualquer uma' }, ...CERTAINTIES]}
        />
      </div>
      <Fetched of={ledger} lines={12}>
        {(entries) => (
          <Entries
            entries={entries
              .filter((entry) => has(Object.values(entry).join(' ')))
              .filter(({ certainty }) => certeza === '' || certainty === certeza)}
          />
        )}
      </Fetched>
    </Page>
  );
}

function Entries({ entries }: { readonly entries: readonly FidelityEntry[] }): JSX.Element {
  if (entries.length === 0) return <Empty>Nenhuma decisão contém essas palavras.</Empty>;
  return (
    <>
      <p class="muted ledger-count" role="status">
        {counted(entries.length, 'decisão', 'decisões')}
      </p>
      <div class="ledger">
        {entries.map((entry) => (
          <LedgerEntry key={`${entry.section} ${entry.topic}`} of={entry} />
        ))}
      </div>
    </>
  );
}

function LedgerEntry({ of: entry }: { readonly of: FidelityEntry }): JSX.Element {
  const { topic, section, behaviour, reason, certainty, setting } = entry;
  const badge = CERTAINTIES.find(({ value }) => value === certainty);
  return (
    <section class="card">
      <div class="ledger-head">
        <h2>{topic}</h2>
        <Badge tone={badge?.tone ?? 'calm'}>{badge?.label ?? certainty}</Badge>
      </div>
      <p>{behaviour}</p>
      <dl class="ledger-facts">
        <dt>Por quê</dt>
        <dd>{reason}</dd>
        <dt>Onde</dt>
        <dd>
          <Line text={section} />
        </dd>
        {setting !== null && (
          <>
            <dt>Muda com</dt>
            <dd>
              <code>{setting}</code>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}
