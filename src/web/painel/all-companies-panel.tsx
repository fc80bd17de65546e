/**
 * The panel of all companies of a user: one list of what needs attention, the most urgent first. Companies
 * without such an item are folded (contract section 17).
 */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useSession } from '../api/session.ts';
import { useAttention } from '../api/attention.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Actions, Button, LinkButton } from '../ui/button.tsx';
import { Card } from '../ui/page.tsx';
import { Skeleton } from '../ui/progress.tsx';
import { CompanyName } from '../ui/company-name.tsx';
import { countText, withCount } from '../words.ts';
import { NothingToDo, AttentionLines, useAttentionLines } from './attention-card.tsx';
import { instanceAttention } from './instance-attention.ts';

const LINES_MAX = 40;

export function AllCompaniesPanel({ refusal }: { readonly refusal: string | undefined }): JSX.Element {
  const session = useSession();
  const attention = useAttention({ company: '', isEnabled: true });
  const { linesOf, alert } = useAttentionLines(attention);
  const [visibleCount, setVisibleCount] = useState(LINES_MAX);
  const companies = attention.value ?? [];
  const calm = companies.filter(({ items }) => items.length === 0);
  const hasDeadlines = companies.some(({ items }) => items.some(({ kind }) => kind === 'prazos'));
  // Administrators see the items of the instance in their own panel.
  const lines = [
    ...(session.administrador ? [] : instanceAttention({ refusal, isAdministrator: false })),
    ...linesOf(companies),
  ];
  return (
    <Card
      title="Todas as minhas empresas"
      actions={
        hasDeadlines && (
          <LinkButton href="/corrigir?aba=prazos&de=todas">Prazos de todas as empresas</LinkButton>
        )
      }
    >
      {alert}
      <ErrorAlert error={attention.error} onRetry={attention.reload} />
      {!attention.isReady && attention.error === undefined && <Skeleton lines={8} />}
      {attention.isReady && lines.length === 0 && <NothingToDo />}
      <AttentionLines lines={lines.slice(0, visibleCount)} />
      {lines.length > visibleCount && (
        <Actions>
          <Button onPress={() => setVisibleCount(visibleCount + LINES_MAX)}>
            Mostrar mais ({countText(lines.length - visibleCount)})
          </Button>
        </Actions>
      )}
      {calm.length > 0 && (
        <details>
          <summary>
            {withCount(calm.length, 'empresa em que nada pede atenção', 'empresas em que nada pede atenção')}
          </summary>
          <ul class="panel-rows">
            {calm.map((company) => (
              <li key={company.cpfCnpjRaiz}>
                <Link href={`/?cpfCnpjRaiz=${company.cpfCnpjRaiz}`}>
                  <CompanyName {...company} />
                </Link>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  );
}
