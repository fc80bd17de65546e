/** Messages about errors and other important facts. */
import type { ComponentChildren } from 'preact';
import type { ApiError } from '../api/result.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { WithNcms } from './ncm.tsx';

export type Tone = 'calm' | 'good' | 'warn' | 'bad';

const ICONS = { calm: 'info', good: 'check', warn: 'alert', bad: 'alert' } as const;

/** Message that a screen reader announces when it appears: immediately for an error, otherwise politely. */
export const Notice = ({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) => (
  <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
    <Icon name={ICONS[tone]} />
    <div>{children}</div>
  </div>
);

/**
 * Refusal of the server: message and every problem; code, tag and places are collapsed (contract section 17).
 * Renders nothing without an error.
 */
export function ErrorAlert(props: { readonly error: ApiError | undefined; readonly onRetry?: () => void }) {
  const { error, onRetry } = props;
  if (error === undefined) return null;
  const { message, code, tag, problems } = error;
  const furtherProblems = problems.filter((problem) => problem.message !== message);
  return (
    <div class="notice bad" role="alert">
      <Icon name="alert" />
      <div>
        <p>
          <WithNcms text={message} />
        </p>
        {furtherProblems.length > 0 && (
          <ul>
            {furtherProblems.map((problem, index) => (
              <li key={index}>
                <WithNcms text={problem.message} />
              </li>
            ))}
          </ul>
        )}
        {(code !== null || tag !== null) && (
          <details class="error-code">
            <summary>detalhes</summary>
            <p>
              {code} {tag}
            </p>
            {problems.map((problem, index) => (
              <p key={index}>
                {problem.place} {problem.code !== code && problem.code}
              </p>
            ))}
          </details>
        )}
        {onRetry !== undefined && (
          <Button small onPress={onRetry}>
            Tentar de novo
          </Button>
        )}
      </div>
    </div>
  );
}
