import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import { Icon } from '../ui/icon.tsx';
import { Card } from '../ui/page.tsx';
import type { Matter } from './attention.ts';

const ICONS = { bad: 'alert', warn: 'alert', calm: 'pencil' } as const;

/** What needs somebody, each with what to do and where; that there is nothing is said, too. */
export const AttentionCard = ({ matters }: { readonly matters: readonly Matter[] }): JSX.Element => (
  <Card title="Pede atenção">
    {matters.length === 0 ? (
      <p class="panel-calm">
        <Icon name="check" /> Nada por aqui. Está tudo em dia.
      </p>
    ) : (
      <ul class="panel-matters">
        {matters.map(({ key, tone, title, advice, href, action }) => (
          <li key={key} class={tone}>
            <Icon name={ICONS[tone]} />
            <div>
              <strong id={`panel-${key}`}>{title}</strong>
              <p class="muted">{advice}</p>
            </div>
            <Link class="button quiet small" href={href} aria-describedby={`panel-${key}`}>
              {action}
            </Link>
          </li>
        ))}
      </ul>
    )}
  </Card>
);
