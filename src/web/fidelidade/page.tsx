/** The fidelity ledger: what the specification does not show, and how each gap was filled. */
import type { JSX } from 'preact';
import { useFilters } from '../api/use-filters.ts';
import { useResource } from '../api/use-resource.ts';
import { Badge } from '../ui/badge.tsx';
import { Input } from '../ui/field.tsx';
import { Fetched, Page } from '../ui/page.tsx';
import { Empty } from '../ui/table.tsx';
import { counted, folded } from '../words.ts';

interface Entry {
  readonly topic: string;
  readonly section: string;
  readonly behaviour: string;
  readonly reason: string;
  readonly certainty: string;
  readonly setting: string | null;
}

const CERTAINTY: Readonly<Record<string, string>> = {
  specification: 'especificação',
  'public interface': 'interface pública',
  ours: 'decisão nossa',
};

export default function FidelityPage(): JSX.Element {
  const ledger = useResource<readonly Entry[]>('/appliance/api/fidelity');
  const [{ busca }, setFilters] = useFilters(['busca']);
  return (
    <Page
      title="Fidelidade"
      about="O que a especificação não mostra, o que este produto faz em cada caso, e quão certo isso é."
    >
      <div class="filters" role="search">
        <Input
          label="Procurar"
          type="search"
          value={busca}
          onChange={(text) => setFilters({ busca: text })}
        />
      </div>
      <Fetched of={ledger}>{(entries) => <Entries entries={entries.filter(matching(busca))} />}</Fetched>
    </Page>
  );
}

function Entries({ entries }: { readonly entries: readonly Entry[] }): JSX.Element {
  if (entries.length === 0) return <Empty>Nenhuma decisão contém essas palavras.</Empty>;
  return (
    <>
      <p class="muted" role="status">
        {counted(entries.length, 'decisão', 'decisões')}
      </p>
      <div class="ledger">
        {entries.map(({ topic, section, behaviour, reason, certainty, setting }) => (
          <section key={topic} class="card" aria-label={topic}>
            <h2>{topic}</h2>
            <p>{behaviour}</p>
            <p class="muted">{reason}</p>
            <p class="ledger-marks">
              <Badge>{CERTAINTY[certainty] ?? certainty}</Badge> <span class="muted">{section}</span>
              {setting !== null && <code>{setting}</code>}
            </p>
          </section>
        ))}
      </div>
    </>
  );
}

/** Every word stands somewhere in the entry. */
function matching(search: string): (entry: Entry) => boolean {
  const words = folded(search).split(/\s+/).filter(Boolean);
  return (entry) => {
    const text = folded(Object.values(entry).join(' '));
    return words.every((word) => text.includes(word));
  };
}
