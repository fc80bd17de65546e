/**
 * Lists the items that need attention, as the server judges them, each with its link and `Dispensar`
 * (contract sections 17, 25).
 */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ATTENTION_LINKS, byUrgency } from '../../catalogue/summary/attention-item.ts';
import { api } from '../api/api.ts';
import { type CompanyAttention, type SharedItem, sharedItems } from '../api/attention.ts';
import { hasRight, useSession } from '../api/session.ts';
import type { Resource } from '../api/use-resource.ts';
import { useAction } from '../api/use-action.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Card } from '../ui/page.tsx';
import { toast } from '../ui/toast.tsx';
import { CompanyName, type NamedCompany } from '../ui/company-name.tsx';
import { resultOf } from '../api/result.ts';

type Item = CompanyAttention['items'][number];

export interface AttentionLine extends Pick<Item, 'tone' | 'message'> {
  readonly key: string;
  /** Absent in the list of one company, and for items of several companies. */
  readonly company?: NamedCompany;
  /** The page that resolves the item, for users with access to it. */
  readonly place?: { readonly href: string; readonly action: string };
  readonly onDismiss?: () => void;
}

const ICONS = { error: 'alert', warning: 'alert', info: 'pencil' } as const;

/** `isComplete`: all requests succeeded, so an empty list means that nothing needs attention. */
export const AttentionCard = ({
  lines,
  isComplete = true,
}: {
  readonly lines: readonly AttentionLine[];
  readonly isComplete?: boolean;
}) => (
  <Card title="Pede atenção">
    {!isComplete && <p class="muted">Nem tudo foi respondido ainda.</p>}
    {lines.length === 0 && isComplete ? <NothingToDo /> : <AttentionLines lines={lines} />}
  </Card>
);

/** The words of an empty list. */
export const NothingToDo = () => (
  <p class="panel-calm">
    <Icon name="check" /> Nada por aqui. Está tudo em dia.
  </p>
);

export function AttentionLines({ lines }: { readonly lines: readonly AttentionLine[] }) {
  // A line may appear in two cards.
  const id = useId();
  return (
    <ul class="panel-attention">
      {lines.map(({ key, company, tone, message, place, onDismiss }) => (
        <li key={key} class={tone}>
          <Icon name={ICONS[tone]} />
          <div id={`${id}-${key}`}>
            {company !== undefined && (
              <Link href={`/?cpfCnpjRaiz=${company.cpfCnpjRaiz}`}>
                <CompanyName {...company} />
              </Link>
            )}
            <p>{message}</p>
          </div>
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

/** Returns the attention lines of companies, which `Dispensar` removes. `alert`: shows why a removal failed. */
export function useAttentionLines({ reload }: Resource<readonly CompanyAttention[]>): {
  /** Returns the lines of all the companies in one list, the most urgent first. */
  readonly linesOf: (companies: readonly CompanyAttention[]) => readonly AttentionLine[];
  readonly alert: JSX.Element;
} {
  const session = useSession();
  const dismissing = useAction(
    async (concerned: readonly CompanyAttention[], { kind, id }: Item) => {
      const dismiss = ({ cpfCnpjRaiz }: CompanyAttention) =>
        api.post<void>('/appliance/api/attention/dismissals', {
          cpfCnpjRaiz,
          kind,
          ...(id !== undefined && { id }),
        });
      const results = await Promise.all(concerned.map(dismiss));
      return results.find(({ ok }) => !ok) ?? results[0] ?? resultOf(undefined);
    },
    () => {
      toast('Dispensado até que haja mais.');
      reload();
    },
  );
  const lineOf = ({ item, concerned }: SharedItem, isOfSeveral: boolean): AttentionLine => {
    const canAct = concerned.every(({ cpfCnpjRaiz }) => hasRight(session, 'preenchimento', cpfCnpjRaiz));
    const [company] = concerned;
    return {
      key: `${company?.cpfCnpjRaiz}-${item.kind}-${item.id ?? ''}`,
      tone: item.tone,
      message: item.message,
      ...(isOfSeveral && concerned.length === 1 && company !== undefined && { company }),
      place: { href: item.href, action: canAct ? ATTENTION_LINKS[item.kind] : 'Ver' },
      ...(canAct && { onDismiss: () => void dismissing.run(concerned, item) }),
    };
  };
  return {
    alert: <ErrorAlert error={dismissing.error} />,
    linesOf: (companies) =>
      sharedItems(companies)
        .toSorted((a, b) => byUrgency(a.item, b.item))
        .map((sharedItem) => lineOf(sharedItem, companies.length > 1)),
  };
}
