/** The pages of the API reference, printed from the document. Loaded on the first request. */
import { renderToString } from 'preact-render-to-string';
import type { HelpPage } from '../../../docs/help.ts';
import { curlOf } from '../../docs/curl.ts';
import { initialValues, requestOf } from '../../docs/request.ts';
import type { TrialPage } from '../../docs/trial.ts';
import { ContentsPage, slugOf } from './contents.tsx';
import { entriesOf, type Document, type ListedOperation } from './document.ts';
import { OperationPage } from './operation.tsx';
import { type Section, sectionsOf } from './sections.ts';
import { trialOf } from './trial.ts';

export class Reference {
  readonly #document: Document;
  readonly #entries: readonly ListedOperation[];
  readonly #sections: readonly Section[];

  /** @param json The OpenAPI document. */
  constructor(json: string) {
    this.#document = JSON.parse(json) as Document;
    this.#entries = entriesOf(this.#document);
    this.#sections = sectionsOf(this.#document, this.#entries);
  }

  /** Returns the list of the operations that contain the words. */
  contents(search: string): HelpPage {
    return {
      title: 'Referência da API',
      main: renderToString(
        <ContentsPage document={this.#document} entries={this.#entries} search={search} />,
      ),
      contents: renderToString(<SectionLinks sections={this.#sections} />),
    };
  }

  /** Returns the page of an operation. @param origin The origin of the request, for commands to paste. */
  operation(id: string, origin: string): HelpPage | undefined {
    const entry = this.#entries.find((listedOperation) => listedOperation.id === id);
    if (entry === undefined) return undefined;
    const trial = trialOf(this.#document, entry);
    const page: TrialPage = {
      trial,
      problems: this.#document['x-problems']?.flatMap(({ codes }) => codes) ?? [],
    };
    const curl = curlOf(requestOf(trial, initialValues(trial, {})), origin);
    const section = this.#sections.find(({ name }) => name === entry.tag);
    return {
      title: entry.summary,
      main: renderToString(
        <OperationPage
          entry={entry}
          trial={
            <div id="experimentar" data-operation={JSON.stringify(page)}>
              <pre tabIndex={0} aria-label="curl">
                <code>{curl}</code>
              </pre>
            </div>
          }
        />,
      ),
      contents: renderToString(<SiblingLinks section={section} current={id} />),
      script: 'try',
    };
  }
}

const SectionLinks = ({ sections }: { readonly sections: readonly Section[] }) => (
  <>
    <h2>Referência da API</h2>
    <ul>
      {sections.map(({ name }) => (
        <li key={name}>
          <a href={`/docs#${slugOf(name)}`}>{name}</a>
        </li>
      ))}
    </ul>
  </>
);

/** Links the operations of the same section. */
const SiblingLinks = ({
  section,
  current,
}: {
  readonly section: Section | undefined;
  readonly current: string;
}) => (
  <>
    <p>
      <a href="/docs">Todas as operações</a>
    </p>
    {section !== undefined && (
      <>
        <h2>{section.name}</h2>
        <ul>
          {[...section.specified, ...section.added].map(({ id, summary }) => (
            <li key={id}>
              <a href={`/docs/${id}`} aria-current={id === current ? 'page' : undefined}>
                {summary}
              </a>
            </li>
          ))}
        </ul>
      </>
    )}
  </>
);
