/** The first page of the reference: every operation, or those that a search finds. */
import { withCount } from '../../words.ts';
import { Line, Prose } from '../../docs/prose.tsx';
import type { Document, ListedOperation, ProblemList } from './document.ts';
import { Method } from './operation.tsx';
import { type Match, matchingOperations, matchingProblems } from './search.ts';
import { type Section, sectionsOf } from './sections.ts';

export interface ContentsProps {
  readonly document: Document;
  readonly entries: readonly ListedOperation[];
  /** Words to find; '' lists everything. */
  readonly search: string;
}

export function ContentsPage({ document, entries, search }: ContentsProps) {
  const matches = matchingOperations(entries, search);
  const problems = search === '' ? [] : matchingProblems(document['x-problems'] ?? [], search);
  const codes = problems.reduce((sum, list) => sum + list.codes.length, 0);
  const sections = sectionsOf(
    document,
    matches.map(({ entry }) => entry),
  );
  return (
    <div class="reference">
      <h1>Referência da API</h1>
      <p class="muted">
        {document.info.title}, versão {document.info.version} · <a href="/openapi.json">openapi.json</a>
      </p>
      {search === '' && <Prose text={document.info.description ?? ''} />}
      <form class="filters" role="search" action="/docs">
        <div class="field">
          <label for="busca">Operação, campo, código ou texto</label>
          <input id="busca" type="search" name="busca" value={search} />
        </div>
        <button class="button primary">Procurar</button>
      </form>
      <p class="muted" role="status">
        {matches.length === entries.length ? entries.length : `${matches.length} de ${entries.length}`}{' '}
        operações
        {search !== '' && `, ${withCount(codes, 'código', 'códigos')}`}
      </p>
      {matches.length + codes === 0 && <p>Nenhuma operação, campo ou código contém “{search}”.</p>}
      {sections.map((section) => (
        <SectionList key={section.name} section={section} matches={matches} />
      ))}
      {codes > 0 && <ProblemCodes lists={problems} />}
      {search === '' && (
        <p>
          A causa e o remédio de cada código de erro: <a href="/ajuda/codigos">códigos de erro</a>.
        </p>
      )}
    </div>
  );
}

function SectionList(props: { readonly section: Section; readonly matches: readonly Match[] }) {
  const { name, about, specified, added } = props.section;
  const { matches } = props;
  const list = (entries: readonly ListedOperation[]) => (
    <ul class="operations">
      {entries.map((entry) => (
        <Item
          key={entry.id}
          entry={entry}
          fields={matches.find((match) => match.entry === entry)?.fields ?? []}
        />
      ))}
    </ul>
  );
  return (
    <section aria-label={name}>
      <h2 id={slugOf(name)}>{name}</h2>
      <Prose text={about} />
      {specified.length > 0 && list(specified)}
      {specified.length > 0 && added.length > 0 && (
        <p class="muted">O que este produto acrescenta à especificação:</p>
      )}
      {added.length > 0 && list(added)}
    </section>
  );
}

/** Returns the anchor of a section. */
export const slugOf = (name: string): string => name.replaceAll(/\s+/g, '-').toLowerCase();

const Item = ({
  entry: { id, method, path, summary, deprecated },
  fields,
}: {
  readonly entry: ListedOperation;
  /** The fields that match the search. */
  readonly fields: readonly string[];
}) => (
  <li id={id}>
    <Method name={method} />
    <span>
      <a href={`/docs/${id}`}>{summary}</a> {deprecated && <span class="badge warn">descontinuada</span>}
      <code>{path}</code>
      {fields.length > 0 && (
        <span class="muted">
          {' '}
          em{' '}
          {fields.map((name) => (
            <code key={name}>{name}</code>
          ))}
        </span>
      )}
    </span>
  </li>
);

const ProblemCodes = ({ lists }: { readonly lists: readonly ProblemList[] }) => (
  <section aria-label="Códigos de problemas">
    <h2 id="codigos">Códigos de problemas</h2>
    {lists.map(({ title, codes }) => (
      <div key={title} class="codes">
        <h3>{title}</h3>
        <dl>
          {codes.map(({ code, meaning, remedy }) => (
            <div key={code + meaning}>
              <dt>
                <code>{code}</code>
              </dt>
              <dd>
                <p>
                  <Line text={meaning} />
                </p>
                <p class="muted">
                  <Line text={remedy} />
                </p>
              </dd>
            </div>
          ))}
        </dl>
      </div>
    ))}
  </section>
);
