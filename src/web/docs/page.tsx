/** The API reference: shows, searches and sends the operations of /openapi.json. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useResource } from '../api/use-resource.ts';
import { Fetched, Page } from '../ui/page.tsx';
import { Notice } from '../ui/alert.tsx';
import { ProblemCodes } from './problem-codes.tsx';
import { Method } from './method.tsx';
import { entriesOf, type Document } from './openapi.ts';
import { Shown } from './shown.ts';
import { OperationCard } from './operation.tsx';
import { Prose } from './prose.tsx';
import { type Found, foundEntries, foundProblems } from './search.ts';
import { type Section, sectionsOf } from './sections.ts';
import { SessionBar } from './session-bar.tsx';

export default function ReferencePage(): JSX.Element {
  const document = useResource<Document>('/openapi.json');
  return (
    <Page title="Referência da API">
      <Fetched of={document} lines={8}>
        {(value) => (
          <Shown.Provider value={value}>
            <Reference document={value} />
          </Shown.Provider>
        )}
      </Fetched>
    </Page>
  );
}

function Reference({ document }: { readonly document: Document }): JSX.Element {
  const [search, setSearch] = useState('');
  const entries = useMemo(() => entriesOf(document), [document]);
  const matches = useMemo(() => foundEntries(entries, search), [entries, search]);
  const problems = useMemo(() => foundProblems(document['x-problems'] ?? [], search), [document, search]);
  const sections = sectionsOf(
    document,
    matches.map(({ entry }) => entry),
  );
  const anchor = useAnchor();
  const codes = problems.reduce((sum, list) => sum + list.codes.length, 0);
  return (
    <div class="reference">
      <aside>
        <label class="search">
          <span class="hidden">Procurar operação, campo, código ou texto</span>
          <input
            type="search"
            placeholder="Procurar operação"
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
        </label>
        <p class="muted" role="status">
          {matches.length === entries.length ? entries.length : `${matches.length} de ${entries.length}`}{' '}
          operações
          {search !== '' && `, ${codes} ${codes === 1 ? 'código' : 'códigos'}`}
        </p>
        <Contents sections={sections} anchor={anchor} hasCodes={codes > 0} />
      </aside>
      <div class="operations">
        <section class="hero" aria-label="Como ler">
          <p class="muted">
            {document.info.title}, versão {document.info.version} · <a href="/openapi.json">openapi.json</a>
          </p>
          <Prose text={document.info.description ?? ''} />
        </section>
        <SessionBar />
        {sections.map((section) => (
          <SectionOf key={section.name} section={section} found={matches} anchor={anchor} />
        ))}
        {matches.length + codes === 0 && (
          <Notice tone="calm">Nenhuma operação, campo ou código contém “{search}”.</Notice>
        )}
        {codes > 0 && <ProblemCodes lists={problems} />}
      </div>
    </div>
  );
}

function Contents({
  sections,
  anchor,
  hasCodes,
}: {
  readonly sections: readonly Section[];
  readonly anchor: string;
  readonly hasCodes: boolean;
}): JSX.Element {
  return (
    <section aria-label="Operações">
      {sections.map(({ name, specified, added }) => (
        <div key={name}>
          <h2>{name}</h2>
          <ul>
            {[...specified, ...added].map(({ id, method, path, summary }) => (
              <li key={id}>
                <a href={`#${id}`} aria-current={anchor === id ? 'location' : undefined}>
                  <Method name={method} />
                  <span>{summary === '' ? path : summary}</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {hasCodes && (
        <div>
          <h2>Códigos</h2>
          <ul>
            <li>
              <a href="#codigos">Causa e remédio de cada um</a>
            </li>
          </ul>
        </div>
      )}
    </section>
  );
}

function SectionOf({
  section: { name, about, specified, added },
  found,
  anchor,
}: {
  readonly section: Section;
  readonly found: readonly Found[];
  readonly anchor: string;
}): JSX.Element {
  const cards = (some: Section['added']): JSX.Element[] =>
    some.map((entry) => (
      <OperationCard
        key={entry.id}
        entry={entry}
        fields={found.find((one) => one.entry === entry)?.fields ?? []}
        isTarget={anchor === entry.id}
      />
    ));
  return (
    <section class="group" aria-label={name}>
      <h2>{name}</h2>
      <Prose text={about} />
      {cards(specified)}
      {specified.length > 0 && added.length > 0 && (
        <p class="muted added">O que este produto acrescenta à especificação:</p>
      )}
      {cards(added)}
    </section>
  );
}

/** Returns the operation that the address names after `#`. */
function useAnchor(): string {
  const read = (): string => decodeURIComponent(location.hash.slice(1));
  const [anchor, setAnchor] = useState(read);
  useEffect(() => {
    const follow = (): void => setAnchor(read());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return anchor;
}
