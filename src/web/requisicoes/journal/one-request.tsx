/** Shows a request and its response next to each other. Problems are marked at their lines. */
import { useEffect, useRef, useState, useMemo } from 'preact/hooks';
import type { RequestDetail, AdvisedProblem } from '../../api/answers.ts';
import { api } from '../../api/api.ts';
import { useResource } from '../../api/use-resource.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton, Snippet } from '../../ui/copy-button.tsx';
import { Card, ResourceView } from '../../ui/page.tsx';
import { dayText, withCount } from '../../words.ts';
import { canFail, kindLabel, ruleLike } from '../fault/rule.ts';
import { NewRuleDialog } from '../fault/rule-dialog.tsx';
import { addressOf, testTimeOf, timeOf } from '../words.ts';
import { Outcome } from './outcome.tsx';
import { markedBody } from './marked.ts';

export function OneRequest({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const path = `/appliance/api/requests/${encodeURIComponent(id)}`;
  const detail = useResource<RequestDetail>(path);
  const curl = useText(`${path}/curl`);
  const topRef = useRef<HTMLDivElement>(null);
  const [isAddingRule, setAddingRule] = useState(false);
  const { value } = detail;
  useEffect(() => {
    if (detail.isReady) topRef.current?.scrollIntoView({ block: 'nearest' });
  }, [detail.isReady]);
  return (
    <div ref={topRef}>
      <Card
        title={`Requisição ${id}`}
        actions={
          <>
            {curl !== '' && <CopyButton text={curl}>Copiar como curl</CopyButton>}
            {value !== undefined && canFail(value) && (
              <Button small icon="plus" onPress={() => setAddingRule(true)}>
                Criar regra de falha
              </Button>
            )}
            <Button small onPress={onClose}>
              Fechar
            </Button>
          </>
        }
      >
        <ResourceView resource={detail}>{(request) => <RequestContent request={request} />}</ResourceView>
        {curl !== '' && (
          <details class="requests-curl">
            <summary>O comando que a repete</summary>
            <Snippet label="curl" text={curl} />
          </details>
        )}
        {isAddingRule && value !== undefined && (
          <NewRuleDialog initial={ruleLike(value)} onClose={() => setAddingRule(false)} />
        )}
      </Card>
    </div>
  );
}

function RequestContent({ request }: { readonly request: RequestDetail }) {
  const { method, ms, user, tag, fault, operation, problems, notices, truncated, arrivedAt } = request;
  const testTime = testTimeOf(request);
  return (
    <div class="stack">
      <p class="requests-line">
        <code>
          <b>{method}</b> {addressOf(request)}
        </code>
        <Outcome row={request} />
        {fault !== null && (
          <Badge tone="warn" icon="alert">
            falha simulada: {kindLabel(fault)}
          </Badge>
        )}
      </p>
      <p class="muted requests-line">
        <span>
          {dayText(arrivedAt)} {timeOf(request)}
        </span>
        {testTime !== undefined && <span>{testTime} no relógio de teste</span>}
        <span>{ms.toLocaleString('pt-BR')} ms</span>
        <span>{user === null ? 'sem autenticação' : `usuário ${user}`}</span>
        {operation !== null && <code>{operation}</code>}
        {tag !== null && <code>{tag}</code>}
      </p>
      {problems.length > 0 && <ProblemList problems={problems} />}
      {notices.map(({ path, message }) => (
        <p key={path} class="muted">
          {message} {path !== null && <code>{path}</code>}
        </p>
      ))}
      <div class="requests-sides">
        <Side
          title="Requisição"
          headers={request.requestHeaders}
          body={request.requestBody}
          problems={problems}
          isCut={truncated}
        />
        <Side
          title="Resposta"
          headers={request.responseHeaders}
          body={request.responseBody}
          problems={[]}
          isCut={truncated}
        />
      </div>
      {truncated && <p class="muted">Dos corpos é guardado o começo, até 64 KiB de cada um.</p>}
    </div>
  );
}

/** Loads a text; '' until it is loaded. */
function useText(path: string): string {
  const [text, setText] = useState('');
  useEffect(() => {
    const controller = new AbortController();
    const fetchText = async (): Promise<void> => {
      const answer = await api.stream(path, { signal: controller.signal });
      const content = answer.ok ? await answer.value.text() : '';
      if (!controller.signal.aborted) setText(content);
    };
    fetchText().catch(() => {}); // Aborted or truncated: the request shows it.
    return () => controller.abort();
  }, [path]);
  return text;
}

/** Lists the problems of a request with the accepted values. */
const ProblemList = ({ problems }: { readonly problems: readonly AdvisedProblem[] }) => (
  <section class="requests-problems">
    <h3>O que estava errado, e o que teria sido válido</h3>
    <ul class="plain">
      {problems.map((problem, index) => (
        <li key={index}>
          <p>
            {problem.path !== null && problem.path !== '' && <code>{problem.path}</code>}{' '}
            <bdi>{problem.message}</bdi>{' '}
            {problem.code !== null && <span class="error-code">{problem.code}</span>}
          </p>
          <Advice problem={problem} />
        </li>
      ))}
    </ul>
  </section>
);

function Advice({ problem: { suggestion, valid } }: { readonly problem: AdvisedProblem }) {
  if (suggestion === null && valid === null) return null;
  const text = JSON.stringify(valid);
  return (
    <p class="requests-advice">
      {suggestion !== null && <bdi>{suggestion}</bdi>}
      {valid !== null && (
        <>
          {' '}
          <code>{text}</code> <CopyButton text={text} label={`Copiar ${text}`} />
        </>
      )}
    </p>
  );
}

interface SideProps {
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly problems: readonly AdvisedProblem[];
  readonly isCut: boolean;
}

/** Shows one side of the exchange: headers and body. */
function Side({ title, headers, body, problems, isCut }: SideProps) {
  const pairs = Object.entries(headers);
  return (
    <section class="requests-side">
      <div class="card-head">
        <h3>{title}</h3>
        {body !== null && <CopyButton text={body} label={`Copiar o corpo: ${title}`} />}
      </div>
      {body === null ? (
        <p class="muted">Sem corpo.</p>
      ) : (
        <Body title={title} body={body} problems={problems} isCut={isCut} />
      )}
      <details open>
        <summary>{withCount(pairs.length, 'cabeçalho', 'cabeçalhos')}</summary>
        <dl class="requests-headers">
          {pairs.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}

function Body(props: Omit<SideProps, 'headers' | 'body'> & { readonly body: string }) {
  const { title, body, problems, isCut } = props;
  const pieces = useMemo(() => markedBody(body, problems, isCut), [body, problems, isCut]);
  return (
    <pre class="requests-body" tabIndex={0} role="region" aria-label={`Corpo: ${title}`}>
      {pieces.map((piece, index) =>
        piece.problems.length === 0 ? (
          <code key={index}>{piece.text}</code>
        ) : (
          <code key={index} class="requests-wrong">
            <mark>{piece.text}</mark>
            {piece.problems.map(({ message, suggestion }, index) => (
              <span key={index}>
                {message}
                {suggestion !== null && ` ${suggestion}`}
              </span>
            ))}
          </code>
        ),
      )}
    </pre>
  );
}
