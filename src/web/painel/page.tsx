/** What there is, and what needs attention. */
import type { JSX } from 'preact';
import { useSession } from '../api/session.ts';
import { useResource } from '../api/use-resource.ts';
import { Notice } from '../ui/alert.tsx';
import { Page } from '../ui/page.tsx';

interface Readiness {
  readonly attributeTable: { readonly versao: string } | null;
}

export default function PanelPage(): JSX.Element {
  const session = useSession();
  const readiness = useResource<Readiness>('/readyz').value;
  return (
    <Page title="Painel" about={`Olá, ${session.nome}.`}>
      {readiness?.attributeTable === null && (
        <Notice tone="warn">
          <strong>Nenhuma tabela de atributos carregada.</strong> Os atributos dos produtos não são
          conferidos.
        </Notice>
      )}
      {readiness?.attributeTable != null && (
        <p>Tabela de atributos em vigor: versão {readiness.attributeTable.versao}.</p>
      )}
    </Page>
  );
}
