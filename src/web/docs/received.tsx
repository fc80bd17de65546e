/** Shows the response: status, headers, body, and an explanation of each code. */
import type { JSX } from 'preact';
import { resultOf } from '../api/result.ts';
import { DownloadButton } from '../ui/download-button.tsx';
import { Snippet } from '../ui/copy-button.tsx';
import { parsedJson, printedJson } from '../ui/printed-json.ts';
import { withCount, sizeText } from '../words.ts';
import { Line } from './prose.tsx';
import type { Received } from './sending.ts';
import type { ProblemCode } from './trial.ts';

export function ReceivedAnswer({
  received: { status, ms, headers, text, file, isCut },
  problems,
}: {
  readonly received: Received;
  readonly problems: readonly ProblemCode[];
}): JSX.Element {
  const body = displayText(text);
  return (
    <section class="try-answer" aria-label="Resposta recebida">
      <p role="status">
        <span class={`status s${String(status)[0] ?? ''}`}>{status}</span>{' '}
        <span class="muted">em {ms.toLocaleString('pt-BR')} ms</span>
        {isCut && <span class="muted">, os primeiros segundos de um fluxo sem fim</span>}
      </p>
      <CodeExplanations text={text} problems={problems} />
      {text !== '' && <Snippet label="Corpo da resposta" text={body} />}
      {file !== undefined && (
        <p>
          {file.name}, {sizeText(file.content.size)}{' '}
          <DownloadButton make={() => Promise.resolve(resultOf(file))} fallbackName={file.name}>
            Baixar
          </DownloadButton>
        </p>
      )}
      {text === '' && file === undefined && <p class="muted">Sem corpo.</p>}
      <details class="inner">
        <summary>{withCount(headers.length, 'cabeçalho', 'cabeçalhos')} da resposta</summary>
        <dl class="try-headers">
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}

/** Explains causes and remedies of the codes in an error response. */
function CodeExplanations({
  text,
  problems,
}: {
  readonly text: string;
  readonly problems: readonly ProblemCode[];
}): JSX.Element | null {
  const codes = [...new Set(codesIn(parsedJson(text)))];
  const explained = codes.flatMap((code) => {
    const problem = problems.find((problemCode) => problemCode.code.split(', ').includes(code));
    return problem === undefined ? [] : { ...problem, code };
  });
  if (explained.length === 0) return null;
  return (
    <ul class="try-codes">
      {explained.map(({ code, meaning, remedy }) => (
        <li key={code}>
          <code>{code}</code> <Line text={meaning} /> <Line text={remedy} />
        </li>
      ))}
    </ul>
  );
}

function codesIn(body: unknown): readonly string[] {
  const { code, detail } = (body ?? {}) as { readonly code?: unknown; readonly detail?: unknown };
  const inside = Array.isArray(detail) ? detail.flatMap(codesIn) : [];
  return typeof code === 'string' ? [code, ...inside] : inside;
}

/** Longer texts are shown unformatted: formatting would slow the page, and nobody reads them. */
const FORMATTED_MAX = 200_000;

const displayText = (text: string): string =>
  text.length > FORMATTED_MAX || parsedJson(text) === undefined ? text : printedJson(text).lines.join('\n');
