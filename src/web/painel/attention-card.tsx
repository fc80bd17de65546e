/**
 * Lists the matters that need attention, as the server judges them, each with its link and `Dispensar`
 * (contract sections 17, 25).
 */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { ATTENTION_LINKS } from '../../catalogue/summary/matter.ts';
import type { Answer } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { hasRight, useSession } from '../api/session.ts';
import type { Resource } from '../api/use-resource.ts';
import { useAction } from '../api/use-action.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Card } from '../ui/page.tsx';
import { toast } from '../ui/toast.tsx';

export type CompanyAttention = Answer<'listAttention'>[number];
type Item = CompanyAttention['items'][number];

export interface MatterLine extends Pick<Item, 'tone' | 'message'> {
  readonly key: string;
  /** The page that resolves the matter, for users with access to it. */
  readonly place?: { readonly href: string; readonly action: string };
  readonly onDismiss?: () => void;
}

const ICONS = { error: 'alert', warning: 'alert', info: 'pencil' } as const;

/** `isWhole`: all requests succeeded, so an empty list means that nothing needs attention. */
export const AttentionCard = ({
  matters,
  isWhole = true,
}: {
  readonly matters: readonly MatterLine[];
  readonly isWhole?: boolean;
}): JSX.Element => (
  <Card title="Pede atenção">
    {!isWhole && <p class="muted">Nem tudo foi respondido ainda.</p>}
    {matters.length === 0 && isWhole ? (
      <p class="panel-calm">
        <Icon name="check" /> Nada por aqui. Está tudo em dia.
      </p>
    ) : (
      <Matters of={matters} />
    )}
  </Card>
);

export function Matters({ of: matters }: { readonly of: readonly MatterLine[] }): JSX.Element {
  // A line may appear in two cards.
  const id = useId();
  return (
    <ul class="panel-matters">
      {matters.map(({ key, tone, message, place, onDismiss }) => (
        <li key={key} class={tone}>
          <Icon name={ICONS[tone]} />
          <p id={`${id}-${key}`}>{message}</p>
          <div class="actions">
            {place !== undefined && (
              <LinkButton href={place.href} aria-describedby={`${id}-${key}`}>
                {place.action}
              </LinkButton>
            )}
            {onDismiss !== undefined && (
              <Button kind="bare" small describedBy={`${id}-${key}`} onPress={onDismiss}>
                Dispensar
              </Button>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Holds the matters of companies, which `Dispensar` removes. `alert`: why a removal failed. */
export function useMatters({ reload }: Resource<readonly CompanyAttention[]>): {
  readonly linesOf: (companies: readonly CompanyAttention[]) => readonly MatterLine[];
  readonly alert: JSX.Element;
} {
  const session = useSession();
  const dismissing = useAction(
    (cpfCnpjRaiz: string, { kind, id }: Item) =>
      api.post<void>('/appliance/api/attention/dismissals', {
        cpfCnpjRaiz,
        kind,
        ...(id !== undefined && { id }),
      }),
    () => {
      toast('Dispensado até que haja mais.');
      reload();
    },
  );
  return {
    alert: <ErrorAlert error={dismissing.error} />,
    linesOf: (companies) =>
      companies.flatMap(({ cpfCnpjRaiz, items }) =>
        items.map((item) => {
          const canAct = hasRight(session, 'preenchimento', cpfCnpjRaiz);
          return {
            key: `${cpfCnpjRaiz}-${item.kind}-${item.id ?? ''}`,
            tone: item.tone,
            message: item.message,
            place: { href: item.href, action: canAct ? ATTENTION_LINKS[item.kind] : 'Ver' },
            ...(canAct && { onDismiss: () => void dismissing.run(cpfCnpjRaiz, item) }),
          };
        }),
      ),
  };
}
