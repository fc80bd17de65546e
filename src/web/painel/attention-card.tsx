/** What asks for attention, as the server judges it, each with the way there and `Dispensar` (contract sections 17, 25). */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Answer } from '../api/answers.ts';
import { api } from '../api/api.ts';
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
  /** Page where it is dealt with, for those who may. */
  readonly place?: { readonly href: string; readonly action: string };
  readonly onDismiss?: () => void;
}

const ICONS = { error: 'alert', warning: 'alert', info: 'pencil' } as const;

const ACTIONS: Readonly<Record<Item['kind'], string>> = {
  paraCorrigir: 'Corrigir',
  importacoes: 'Ver resultado',
  prazos: 'Corrigir',
  assinaturas: 'Ver entregas',
  remotos: 'Ver remoto',
  semTabela: 'Ver a tabela',
  rascunhos: 'Ver rascunhos',
};

/** `isWhole`: everything was answered, so that an empty list may say that nothing asks for attention. */
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
  // A line may stand in two cards.
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

/** The lines of companies, each of which `Dispensar` takes away; `alert`: why one could not be taken away. */
export function useMatters({ reload }: Resource<readonly CompanyAttention[]>): {
  readonly linesOf: (companies: readonly CompanyAttention[]) => readonly MatterLine[];
  readonly alert: JSX.Element;
} {
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
        items.map((item) => ({
          key: `${cpfCnpjRaiz}-${item.kind}-${item.id ?? ''}`,
          tone: item.tone,
          message: item.message,
          place: { href: item.href, action: ACTIONS[item.kind] },
          onDismiss: () => void dismissing.run(cpfCnpjRaiz, item),
        })),
      ),
  };
}
