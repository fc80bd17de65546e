/** The page of one operation. */
import type { JSX } from 'preact';
import {
  exampleOf,
  type Answer,
  type ListedOperation,
  type MediaType,
  type Parameter,
  type SentRequest,
} from './document.ts';
import { Line, Prose } from '../../docs/prose.tsx';
import { Constraints, SchemaTree, TypeName } from './schema.tsx';

export const Method = ({ name }: { readonly name: string }) => (
  <span class={`method ${name.toLowerCase()}`}>{name}</span>
);

export interface OperationPageProps {
  readonly entry: ListedOperation;
  /** The form that sends the operation. */
  readonly trial: JSX.Element;
}

export const OperationPage = ({ entry, trial }: OperationPageProps) => (
  <div class="operation">
    <h1>{entry.summary}</h1>
    <p class="operation-name">
      <Method name={entry.method} /> <code>{entry.path}</code>
      {entry.deprecated && <span class="badge warn">descontinuada</span>}
    </p>
    <Prose text={entry.description} />
    {entry.secured && (
      <p>
        Pede os cabeçalhos <code>Authorization</code> e <code>X-CSRF-Token</code> da autenticação.
      </p>
    )}
    {trial}
    {entry.parameters.length > 0 && (
      <section>
        <h2>Parâmetros</h2>
        <Parameters parameters={entry.parameters} />
      </section>
    )}
    {entry.body !== undefined && (
      <section>
        <h2>Corpo{entry.body.required === true ? '' : ' (opcional)'}</h2>
        <Prose text={entry.body.description ?? ''} />
        <Content content={entry.body.content ?? {}} isAnswer={false} />
      </section>
    )}
    <section>
      <h2>Respostas</h2>
      <div class="answers">
        {entry.answers.map(([status, answer]) => (
          <AnswerCard key={status} status={status} answer={answer} />
        ))}
      </div>
    </section>
    {entry.callbacks.length > 0 && (
      <section>
        <h2>O que o receptor recebe</h2>
        <div class="answers">
          {entry.callbacks.map(([name, request]) => (
            <SentCard key={name} name={name} request={request} />
          ))}
        </div>
      </section>
    )}
  </div>
);

const PLACES = { path: 'caminho', query: 'consulta', header: 'cabeçalho' } as const;

const Parameters = ({ parameters }: { readonly parameters: readonly Parameter[] }) => (
  <ul class="members">
    {parameters.map((parameter) => (
      <li key={`${parameter.in} ${parameter.name}`}>
        <div class="member-head">
          <code>{parameter.name}</code>
          <span class="muted">{PLACES[parameter.in]}</span>
          {parameter.schema !== undefined && <TypeName schema={parameter.schema} />}
          {parameter.required === true && <span class="required">obrigatório</span>}
        </div>
        {parameter.description !== undefined && (
          <p>
            <Line text={parameter.description} />
          </p>
        )}
        {parameter.schema !== undefined && (
          <Constraints schema={parameter.schema} withDescription={parameter.description === undefined} />
        )}
      </li>
    ))}
  </ul>
);

const SentCard = ({ name, request }: { readonly name: string; readonly request: SentRequest }) => (
  <details class="answer">
    <summary>
      <code>{name}</code>
      <span>
        <Line text={request.summary} />
      </span>
    </summary>
    <div class="answer-inside">
      <Prose text={request.description} />
      <Parameters parameters={request.parameters} />
      <Content content={request.requestBody.content ?? {}} isAnswer />
    </div>
  </details>
);

function AnswerCard({ status, answer }: { readonly status: string; readonly answer: Answer }) {
  const headers = Object.entries(answer.headers ?? {});
  const content = answer.content ?? {};
  const title = (
    <>
      <span class={`status s${status[0] ?? ''}`}>{status}</span>
      <span>
        <Line text={answer.description ?? ''} />
      </span>
    </>
  );
  if (headers.length === 0 && Object.keys(content).length === 0)
    return <div class="answer plain">{title}</div>;
  return (
    <details class="answer">
      <summary>{title}</summary>
      <div class="answer-inside">
        {headers.length > 0 && (
          <ul class="members">
            {headers.map(([name, header]) => (
              <li key={name}>
                <div class="member-head">
                  <code>{name}</code>
                  <span class="muted">cabeçalho</span>
                </div>
                {header.description !== undefined && (
                  <p>
                    <Line text={header.description} />
                  </p>
                )}
              </li>
            ))}
          </ul>
        )}
        <Content content={content} isAnswer />
      </div>
    </details>
  );
}

const Content = ({
  content,
  isAnswer,
}: {
  readonly content: Readonly<Record<string, MediaType>>;
  readonly isAnswer: boolean;
}) => (
  <>
    {Object.entries(content).map(([type, media]) => (
      <div key={type} class="content">
        <p class="muted">
          <code>{type}</code>
        </p>
        {media.schema !== undefined && <SchemaTree schema={media.schema} isAnswer={isAnswer} />}
        {type.includes('json') && (
          <pre tabIndex={0} aria-label="Exemplo">
            <code>{JSON.stringify(exampleOf(media), null, 2) ?? ''}</code>
          </pre>
        )}
      </div>
    ))}
  </>
);
