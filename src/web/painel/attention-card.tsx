import type { JSX } from 'preact';
import { LinkButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Card } from '../ui/page.tsx';
import type { Matter } from './attention.ts';

const ICONS = { bad: 'alert', warn: 'alert', calm: 'pencil' } as const;

/** What needs somebody, each with what to do and where; that there is nothing is said, too, once all is known. */
export const AttentionCard = ({
  matters,
  isWhole = true,
}: {
  readonly matters: readonly Matter[];
  readonly isWhole?: boolean;
}): JSX.Element => (
  <Card title="Pede atenção">
    {!isWhole && <p class="muted">O diagnóstico ainda não respondeu.</p>}
    {matters.length === 0 && isWhole ? (
      <p class="panel-calm">
        <Icon name="check" /> Nada por aqui. Está tudo em dia.
      </p>
    ) : (
      <ul class="panel-matters">
        {matters.map(({ key, tone, title, advice, place }) => (
          <li key={key} class={tone}>
            <Icon name={ICONS[tone]} />
            <div>
              <strong id={`panel-${key}`}>{title}</strong>
              <p class="muted">{advice}</p>
            </div>
            {place !== undefined && (
              <LinkButton href={place.href} aria-describedby={`panel-${key}`}>
                {place.action}
              </LinkButton>
            )}
          </li>
        ))}
      </ul>
    )}
  </Card>
);
