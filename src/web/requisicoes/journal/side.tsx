/** Shows one side of the exchange: headers and body. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { AdvisedProblem } from '../../api/answers.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { withCount } from '../../words.ts';
import { markedBody } from './marked.ts';

export interface SideProps {
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly problems: readonly AdvisedProblem[];
  readonly isCut: boolean;
}

export function Side({ title, headers, body, problems, isCut }: SideProps): JSX.Element {
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

function Body({
  title,
  body,
  problems,
  isCut,
}: Omit<SideProps, 'headers' | 'body'> & { readonly body: string }) {
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
