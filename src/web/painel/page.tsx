/** What there is, and what needs attention. */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import { rolesOf, useSession } from '../api/session.ts';
import { addressFor, useCompany } from '../api/use-company.ts';
import { useResource } from '../api/use-resource.ts';
import { Notice } from '../ui/alert.tsx';
import { Fetched, Page } from '../ui/page.tsx';
import { Numbers, type Summary } from './numbers.tsx';

interface Readiness {
  readonly attributeTable: { readonly versao: string } | null;
}

export default function PanelPage(): JSX.Element {
  const session = useSession();
  const company = useCompany();
  const readiness = useResource<Readiness>('/readyz').value;
  const hasCompany = company !== '' && rolesOf(session).some((role) => role !== 'administrator');
  const summary = useResource<Summary>(hasCompany ? '/appliance/api/summary' : undefined, {
    query: { cpfCnpjRaiz: company },
  });
  return (
    <Page title="Painel" about={`Olá, ${session.nome}.`}>
      {readiness?.attributeTable === null && (
        <Notice tone="warn">
          <strong>Nenhuma tabela de atributos carregada.</strong>
          <p>
            Os atributos dos produtos não são conferidos. A tabela pública de atributos por NCM é carregada em{' '}
            <Link href={addressFor('/atributos', company)}>Atributos</Link> pelo administrador.
          </p>
        </Notice>
      )}
      {readiness?.attributeTable != null && (
        <p class="muted">Tabela de atributos em vigor: versão {readiness.attributeTable.versao}.</p>
      )}
      {hasCompany && <Fetched of={summary}>{(numbers) => <Numbers of={numbers} />}</Fetched>}
    </Page>
  );
}
