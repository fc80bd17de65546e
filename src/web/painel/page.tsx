/** What there is, and what needs attention; for each as far as it is theirs. */
import type { JSX } from 'preact';
import type { Readiness } from '../api/answers.ts';
import { PROFILE_PAGE, profileNote } from '../../profile.ts';
import { rolesOf, useSession } from '../api/session.ts';
import { useCompany } from '../api/use-company.ts';
import { useResource } from '../api/use-resource.ts';
import { Page } from '../ui/page.tsx';
import { AdministratorPanel } from './administrator-panel.tsx';
import { CompaniesCard } from './agent-panel.tsx';
import { CataloguePanel } from './catalogue-panel.tsx';
import { Notice } from '../ui/alert.tsx';

export default function PanelPage(): JSX.Element {
  const session = useSession();
  const company = useCompany();
  const roles = rolesOf(session);
  const readiness = useResource<Readiness>('/readyz');
  const hasCatalogue = company !== '' && roles.some((role) => role !== 'administrator');
  return (
    <Page title="Painel" about={<Greeting name={session.nome} readiness={readiness.value} />}>
      {hasCatalogue && <CataloguePanel company={company} readiness={readiness.value} />}
      {!hasCatalogue && roles.includes('representative') && (
        <Notice tone="calm">
          Você ainda não representa nenhuma empresa. Peça ao administrador uma representação no perfil IMPEXP;
          ela vale na próxima vez que entrar.
        </Notice>
      )}
      {roles.includes('agent') && <CompaniesCard />}
      {roles.includes('administrator') && <AdministratorPanel readiness={readiness} />}
    </Page>
  );
}

/** In one line, what the public service would refuse all the same. */
function Profile({ perfil }: { readonly perfil: string }): JSX.Element {
  const note = profileNote(perfil);
  return (
    <>
      Perfil {perfil}
      {note !== undefined && (
        <>
          : {note} (<a href={PROFILE_PAGE}>leia</a>)
        </>
      )}
      .
    </>
  );
}

const Greeting = ({
  name,
  readiness,
}: {
  readonly name: string;
  readonly readiness: Readiness | undefined;
}): JSX.Element => (
  <>
    Olá, <bdi>{name}</bdi>.{' '}
    {readiness?.attributeTable != null &&
      `Tabela de atributos em vigor: versão ${readiness.attributeTable.versao}. `}
    {readiness !== undefined && <Profile perfil={readiness.perfil} />}
  </>
);
