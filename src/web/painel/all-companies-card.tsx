/** Of who has more than one company: what asks for somebody in each. */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import type { Answer } from '../api/answers.ts';
import { useResource } from '../api/use-resource.ts';
import { Card, Fetched } from '../ui/page.tsx';
import { CompanyName } from '../ui/where.tsx';
import { counted } from '../words.ts';

type Company = Answer<'listAttention'>[number];
type Item = Company['items'][number];

const WORDS: Readonly<Record<Item['kind'], (count: number, remote: string) => string>> = {
  deactivatedBySystem: (count) =>
    counted(count, 'produto desativado pelo sistema', 'produtos desativados pelo sistema'),
  drafts: (count) => counted(count, 'rascunho por terminar', 'rascunhos por terminar'),
  remote: (count, remote) =>
    counted(count, `registro difere do remoto ${remote}`, `registros diferem do remoto ${remote}`),
  run: (count, remote) =>
    counted(count, `passo à espera no envio a ${remote}`, `passos à espera no envio a ${remote}`),
};

export function AllCompaniesCard(): JSX.Element {
  const companies = useResource<readonly Company[]>('/appliance/api/attention');
  return (
    <Card title="Todas as minhas empresas">
      <Fetched of={companies} lines={3}>
        {(rows) => (
          <ul class="panel-rows">
            {rows.map(({ cpfCnpjRaiz, nome, items }) => (
              <li key={cpfCnpjRaiz}>
                <Link href={`/?cpfCnpjRaiz=${cpfCnpjRaiz}`}>
                  <CompanyName {...{ cpfCnpjRaiz, nome }} />
                </Link>
                {items.length === 0 && <span class="muted"> nada pede atenção</span>}
                {items.map(({ kind, count, href, remote = '' }) => (
                  <span key={`${kind} ${remote}`}>
                    {' '}
                    <Link href={href}>{WORDS[kind](count, remote)}</Link>
                  </span>
                ))}
              </li>
            ))}
          </ul>
        )}
      </Fetched>
    </Card>
  );
}
