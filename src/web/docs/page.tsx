/** The API reference: /openapi.json, readable. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Notice } from '../ui/alert.tsx';
import { folded } from '../words.ts';
import { Page } from '../ui/page.tsx';
import { Skeleton } from '../ui/progress.tsx';
import { Method } from './method.tsx';
import { entriesOf, type Document, type Entry } from './openapi.ts';
import { OperationCard } from './operation.tsx';
import { Prose } from './prose.tsx';

export default function ReferencePage(): JSX.Element {
  const [document, setDocument] = useState<Document>();
  const [fault, setFault] = useState('');
  useEffect(() => {
    fetch('/openapi.json')
      .then(async (answer) => {
        if (!answer.ok) throw new Error(`O servidor respondeu ${answer.status} para /openapi.json.`);
        setDocument((await answer.json()) as Document);
      })
      .catch((failure) => setFault(failure instanceof Error ? failure.message : String(failure)));
  }, []);

  return (
    <>
      {fault !== '' && (
        <>
          <h1>Referência da API</h1>
          <Notice tone="bad">{fault}</Notice>
        </>
      )}
      {document !== undefined && <Operations document={document} />}
      {document === undefined && fault === '' && (
        <Page title="Referência da API">
          <Skeleton />
        </Page>
      )}
    </>
  );
}

function Operations({ document }: { readonly document: Document }): JSX.Element {
  const [search, setSearch] = useState('');
  const entries = useMemo(() => entriesOf(document), [document]);
  const found = useMemo(() => entries.filter(matching(search)), [entries, search]);
  const groups = grouped(document, found);
  const anchor = useAnchor();

  return (
    <div class="reference">
      <aside>
        <label class="search">
          <span class="hidden">Procurar operação</span>
          <input
            type="search"
            placeholder="Procurar operação"
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
        </label>
        <p class="muted" role="status">
          {found.length === entries.length ? entries.length : `${found.length} de ${entries.length}`}{' '}
          operações
        </p>
        <section aria-label="Operações">
          {groups.map(({ tag, entries }) => (
            <div key={tag}>
              <h2>{tag}</h2>
              <ul>
                {entries.map(({ id, method, path, summary }) => (
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
        </section>
      </aside>
      <div class="operations">
        <section class="hero">
          <h1>{document.info.title}</h1>
          <p class="muted">
            versão {document.info.version} · <a href="/openapi.json">openapi.json</a>
          </p>
          <Prose text={document.info.description ?? ''} />
        </section>
        {groups.map(({ tag, about, entries }) => (
          <section key={tag} class="group" aria-label={tag}>
            <h2>{tag}</h2>
            <Prose text={about} />
            {entries.map((entry) => (
              <OperationCard
                key={entry.id}
                document={document}
                entry={entry}
                isTarget={anchor === entry.id}
              />
            ))}
          </section>
        ))}
        {found.length === 0 && <Notice tone="calm">Nenhuma operação contém “{search}”.</Notice>}
      </div>
    </div>
  );
}

/** The operation that the address names after `#`. */
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

interface Group {
  readonly tag: string;
  readonly about: string;
  readonly entries: readonly Entry[];
}

/** In the order in which the document lists its tags, then those that it does not list. */
function grouped(document: Document, entries: readonly Entry[]): readonly Group[] {
  const listed = document.tags?.map(({ name }) => name) ?? [];
  return [...new Set([...listed, ...entries.map(({ tag }) => tag)])]
    .map((tag) => ({
      tag,
      about: document.tags?.find(({ name }) => name === tag)?.description ?? '',
      entries: entries.filter((entry) => entry.tag === tag),
    }))
    .filter(({ entries }) => entries.length > 0);
}

/** Every word of the search stands somewhere in the operation; case and accents do not matter. */
function matching(search: string): (entry: Entry) => boolean {
  const wanted = folded(search).split(/\s+/).filter(Boolean);
  return ({ method, path, tag, summary, description, id }) => {
    const text = folded([method, path, tag, summary, description, id].join(' '));
    return wanted.every((word) => text.includes(word));
  };
}
