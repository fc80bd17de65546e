import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Notice } from '../ui/alert.tsx';
import { Badge } from '../ui/badge.tsx';
import { Snippet } from '../ui/copy-button.tsx';
import {
  exampleOf,
  type Answer,
  type ListedOperation,
  type MediaType,
  type Parameter,
  type Sent,
} from './openapi.ts';
import { Line, Prose } from './prose.tsx';
import { Method } from './method.tsx';
import { Constraints, SchemaTree, TypeName } from './schema.tsx';
import { TryIt } from './try-it.tsx';

/** Shows an operation. Its details are rendered when it is opened. */
export function OperationCard({
  entry,
  fields,
  isTarget,
}: {
  readonly entry: ListedOperation;
  /** The fields that match the search. */
  readonly fields: readonly string[];
  readonly isTarget: boolean;
}): JSX.Element {
  const [open, setOpen] = useState(isTarget);
  const card = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!isTarget) return;
    setOpen(true);
    card.current?.scrollIntoView();
  }, [isTarget]);

  return (
    <details
      ref={card}
      id={entry.id}
      class="operation"
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <Method name={entry.method} />
        <span class="operation-name">
          <code>{entry.path}</code>
          <span class="muted">{entry.summary}</span>
          {fields.length > 0 && (
            <span class="operation-fields">
              em{' '}
              {fields.map((name) => (
                <code key={name}>{name}</code>
              ))}
            </span>
          )}
        </span>
        {entry.deprecated && <Badge tone="warn">descontinuada</Badge>}
      </summary>
      {open && <Inside entry={entry} />}
    </details>
  );
}

function Inside({ entry }: { readonly entry: ListedOperation }): JSX.Element {
  return (
    <div class="operation-inside">
      <Prose text={entry.description} />
      {entry.secured && (
        <Notice tone="calm">
          <p>
            Pede os cabeçalhos <code>Authorization</code> e <code>X-CSRF-Token</code> da autenticação.
          </p>
        </Notice>
      )}
      <TryIt entry={entry} />
      {entry.parameters.length > 0 && (
        <section>
          <h3>Parâmetros</h3>
          <Parameters parameters={entry.parameters} />
        </section>
      )}
      {entry.body !== undefined && (
        <section>
          <h3>Corpo{entry.body.required === true ? '' : ' (opcional)'}</h3>
          <Prose text={entry.body.description ?? ''} />
          <Content content={entry.body.content ?? {}} isAnswer={false} />
        </section>
      )}
      <section>
        <h3>Respostas</h3>
        <div class="answers">
          {entry.answers.map(([status, answer]) => (
            <AnswerCard key={status} status={status} answer={answer} />
          ))}
        </div>
      </section>
      {entry.callbacks.length > 0 && (
        <section>
          <h3>O que o receptor recebe</h3>
          <div class="answers">
            {entry.callbacks.map(([name, sent]) => (
              <SentCard key={name} name={name} sent={sent} />
            ))}
          </div>
        </section>
      )}
    </div>
  );
}

const PLACES = { path: 'caminho', query: 'consulta', header: 'cabeçalho' } as const;

function Parameters({ parameters }: { readonly parameters: readonly Parameter[] }): JSX.Element {
  return (
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
}

function SentCard({ name, sent }: { readonly name: string; readonly sent: Sent }): JSX.Element {
  return (
    <details class="answer">
      <summary>
        <code>{name}</code>
        <span>
          <Line text={sent.summary} />
        </span>
      </summary>
      <div class="answer-inside">
        <Prose text={sent.description} />
        <Parameters parameters={sent.parameters} />
        <Content content={sent.requestBody.content ?? {}} isAnswer />
      </div>
    </details>
  );
}

function AnswerCard({ status, answer }: { readonly status: string; readonly answer: Answer }): JSX.Element {
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

function Content({
  content,
  isAnswer,
}: {
  readonly content: Readonly<Record<string, MediaType>>;
  readonly isAnswer: boolean;
}): JSX.Element {
  return (
    <>
      {Object.entries(content).map(([type, media]) => (
        <div key={type} class="content">
          <p class="muted">
            <code>{type}</code>
          </p>
          {media.schema !== undefined && <SchemaTree schema={media.schema} isAnswer={isAnswer} />}
          {type.includes('json') && (
            <Snippet label="Exemplo" text={JSON.stringify(exampleOf(media), null, 2) ?? ''} />
          )}
        </div>
      ))}
    </>
  );
}
