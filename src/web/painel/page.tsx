/** The start page: totals and open matters, limited to the rights of the user. */
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Finding, Readiness } from '../api/answers.ts';
import { hasRight, rolesOf, useSession } from '../api/session.ts';
import { useCompanyChoice } from '../api/use-company.ts';
import { useResource } from '../api/use-resource.ts';
import { Page, Card } from '../ui/page.tsx';
import { Notice, ErrorAlert } from '../ui/alert.tsx';
import { Badge } from '../ui/badge.tsx';
import { LinkButton, Actions, Button } from '../ui/button.tsx';
import { withCount, finder, numberText, unpointed, countText } from '../words.ts';
import { Input } from '../ui/field.tsx';
import { useAttention } from '../api/attention.ts';
import { Skeleton } from '../ui/progress.tsx';
import { CompanyName } from '../ui/company-name.tsx';
import { AdministratorPanel } from './administrator-panel.tsx';
import { CataloguePanel } from './catalogue-panel.tsx';
import { type InstanceFacts, instanceAttention } from './instance-attention.ts';
import { NothingToDo, AttentionLines, useAttentionLines } from './attention-card.tsx';

/** Status of `/readyz` while writes are refused. */
const UNAVAILABLE = 503;

export default function PanelPage() {
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
function Health({ instance }: { readonly instance: InstanceFacts }) {
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
}) => (
  <>
    Olá, <bdi>{name}</bdi>.{' '}
    {readiness?.attributeTable != null &&
      `Tabela de atributos em vigor: versão ${readiness.attributeTable.versao}. `}
  </>
);

const FEW = 10;
const ROWS_MAX = 100;

/** The panel of a public agent: the companies that the agent may read. */
function CompaniesCard() {
  const { companies } = useSession();
  const [search, setSearch] = useState('');
  const has = finder(unpointed(search));
  const matches = companies.filter(({ cpfCnpjRaiz, nome }) => has(`${cpfCnpjRaiz} ${nome}`));
  return (
    <Card title="Catálogos que você pode consultar">
      {companies.length > FEW && (
        <div class="filters">
          <Input label="Procurar" type="search" value={search} onChange={setSearch} />
        </div>
      )}
      <p class="muted" role="status">
        {withCount(matches.length, 'empresa', 'empresas')}
        {matches.length > ROWS_MAX && `; as primeiras ${ROWS_MAX}`}
      </p>
      <ul class="panel-rows">
        {matches.slice(0, ROWS_MAX).map(({ cpfCnpjRaiz, nome }) => (
          <li key={cpfCnpjRaiz}>
            <Link href={`/produtos?cpfCnpjRaiz=${cpfCnpjRaiz}`}>
              <bdi>{nome}</bdi>
            </Link>{' '}
            <code>{numberText(cpfCnpjRaiz)}</code>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const LINES_MAX = 40;

/**
 * The panel of all companies of a user: one list of what needs attention, the most urgent first. Companies
 * without such an item are folded (contract section 17).
 */
function AllCompaniesPanel({ refusal }: { readonly refusal: string | undefined }) {
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
