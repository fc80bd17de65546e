/** The start page: totals and open matters, limited to the rights of the user. */
import type { JSX } from 'preact';
import type { Finding, Readiness } from '../api/answers.ts';
import { hasRight, rolesOf, useSession } from '../api/session.ts';
import { useCompanyChoice } from '../api/use-company.ts';
import { useResource } from '../api/use-resource.ts';
import { Page } from '../ui/page.tsx';
import { AdministratorPanel } from './administrator-panel.tsx';
import { AllCompaniesPanel } from './all-companies-panel.tsx';
import { CompaniesCard } from './agent-panel.tsx';
import { CataloguePanel } from './catalogue-panel.tsx';
import { type InstanceFacts, instanceAttention } from './instance-attention.ts';
import { Notice } from '../ui/alert.tsx';
import { Badge } from '../ui/badge.tsx';
import { LinkButton } from '../ui/button.tsx';
import { withCount } from '../words.ts';

/** Status of `/readyz` while writes are refused. */
const UNAVAILABLE = 503;

export default function PanelPage(): JSX.Element {
  const session = useSession();
  const { company, showsAllCompanies } = useCompanyChoice();
  const roles = rolesOf(session);
  const readiness = useResource<Readiness>('/readyz');
  const findings = useResource<readonly Finding[]>(
    roles.includes('administrator') ? '/appliance/api/doctor' : undefined,
  );
  const refusal = readiness.error?.status === UNAVAILABLE ? readiness.error.message : undefined;
  const instance: InstanceFacts = {
    readiness: readiness.value,
    refusal,
    findings: findings.value,
    isAdministrator: session.administrador,
  };
  const hasCatalogue = company !== '' && roles.some((role) => role !== 'administrator');
  return (
    <Page
      title="Painel"
      about={<Greeting name={session.nome} readiness={readiness.value} />}
      actions={
        <>
          {!showsAllCompanies && hasRight(session, 'aprovacao', company) && (
            <LinkButton href={`/auditoria?cpfCnpjRaiz=${company}`}>O que foi feito</LinkButton>
          )}
          <Health instance={instance} />
        </>
      }
    >
      {hasCatalogue &&
        (showsAllCompanies && roles.includes('representative') ? (
          <AllCompaniesPanel refusal={refusal} />
        ) : (
          <CataloguePanel company={company} refusal={refusal} />
        ))}
      {!hasCatalogue && roles.includes('representative') && (
        <Notice tone="calm">
          Você ainda não representa nenhuma empresa. Peça ao administrador uma representação no perfil IMPEXP;
          ela vale na próxima vez que entrar.
        </Notice>
      )}
      {roles.includes('agent') && <CompaniesCard />}
      {roles.includes('administrator') && (
        <AdministratorPanel readiness={readiness} findings={findings} instance={instance} />
      )}
    </Page>
  );
}

/** Warns next to the title that the instance is not healthy. Cause and remedy stand in "Pede atenção". */
function Health({ instance }: { readonly instance: InstanceFacts }): JSX.Element {
  const errorCount = instanceAttention(instance).filter(({ tone }) => tone === 'error').length;
  return (
    <div role="alert">
      {errorCount > 0 && (
        <Badge tone="bad" icon="alert">
          {instance.refusal === undefined
            ? withCount(errorCount, 'problema grave nesta instância', 'problemas graves nesta instância')
            : 'Não aceita gravações'}
        </Badge>
      )}
    </div>
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
  </>
);
