/** The panel of an administrator: health, backups, failing receivers, companies. */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import type { BackupList, Company, DeliverySummary, Finding, Readiness } from '../api/answers.ts';
import { type Resource, useResource } from '../api/use-resource.ts';
import { readableSentence } from '../sentences.ts';
import { Badge } from '../ui/badge.tsx';
import { LinkButton } from '../ui/button.tsx';
import { Card, ResourceView } from '../ui/page.tsx';
import { ambienteName, withCount, momentText, numberText, sizeText } from '../words.ts';
import { daysAgoInWords } from './age.ts';
import { AttentionCard } from './attention-card.tsx';
import { DeliveriesCard } from './deliveries-card.tsx';
import { type InstanceFacts, instanceAttention } from './instance-attention.ts';

const DAYS = 7;
const COMPANIES = 8;

export function AdministratorPanel(props: {
  readonly readiness: Resource<Readiness>;
  readonly findings: Resource<readonly Finding[]>;
  /** Current facts about the instance. */
  readonly instance: InstanceFacts;
}) {
  const { readiness, findings, instance } = props;
  const deliveries = useResource<DeliverySummary>('/appliance/api/deliveries/summary', {
    query: { days: DAYS },
  });
  const backups = useResource<BackupList>('/appliance/api/backups');
  const companies = useResource<readonly Company[]>('/appliance/api/companies');
  const today = deliveries.value?.days.at(-1)?.day ?? '';
  return (
    <>
      {readiness.value !== undefined && companies.value !== undefined && (
        <FirstSteps
          hasTable={readiness.value.attributeTable !== null}
          hasCompany={companies.value.length > 0}
        />
      )}
      <div class="panel-columns">
        <Card
          title="Serviço"
          actions={<LinkButton href="/administracao?aba=diagnostico">Ver diagnóstico</LinkButton>}
        >
          <ResourceView resource={readiness}>{(value) => <Service readiness={value} />}</ResourceView>
          <ResourceView resource={findings} lines={1}>
            {(all) => (
              <p class="muted">
                {withCount(
                  all.filter(({ level }) => level === 'ok').length,
                  'conferência em ordem',
                  'conferências em ordem',
                )}{' '}
                de {all.length}.
              </p>
            )}
          </ResourceView>
        </Card>
        <Card
          title="Cópias de segurança"
          actions={<LinkButton href="/administracao?aba=copias">Ver cópias</LinkButton>}
        >
          <ResourceView resource={backups}>
            {(value) => <Backup backups={value} today={today} />}
          </ResourceView>
        </Card>
      </div>
      {[readiness, deliveries].every(isAnswered) && (
        <AttentionCard
          lines={instanceAttention({ ...instance, deliveries: deliveries.value })}
          isComplete={findings.isReady}
        />
      )}
      <DeliveriesCard summary={deliveries} />
      <Card title="Empresas" actions={<LinkButton href="/administracao?aba=contas">Ver contas</LinkButton>}>
        <ResourceView resource={companies}>{(rows) => <Companies companies={rows} />}</ResourceView>
      </Card>
    </>
  );
}

const isAnswered = ({ isReady, error }: Resource<unknown>): boolean => isReady || error !== undefined;

function Service({ readiness }: { readonly readiness: Readiness }) {
  const { ready, version, ambiente, attributeTable, notices } = readiness;
  return (
    <>
      <p>
        <Badge tone={ready ? 'good' : 'bad'} icon={ready ? 'check' : 'alert'}>
          {ready ? 'Aceita gravações' : 'Não aceita gravações'}
        </Badge>
      </p>
      <dl class="panel-facts">
        <dt>Versão</dt>
        <dd>{version}</dd>
        <dt>Ambiente</dt>
        <dd>{ambienteName(ambiente)}</dd>
        <dt>Tabela de atributos</dt>
        <dd>{attributeTable === null ? 'nenhuma' : `versão ${attributeTable.versao}`}</dd>
      </dl>
      {notices.length > 0 && (
        <ul class="panel-notices">
          {notices.map((text) => (
            <li key={text}>{readableSentence(text)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

const Backup = ({
  backups: { last, drill },
  today,
}: {
  readonly backups: BackupList;
  readonly today: string;
}) => (
  <dl class="panel-facts">
    <dt>Última cópia</dt>
    <dd>
      {last === null ? (
        <Badge tone="warn" icon="alert">
          nenhuma ainda
        </Badge>
      ) : (
        <>
          {today !== '' && <strong>{daysAgoInWords(last.at, today)}</strong>} {momentText(last.at)},{' '}
          {sizeText(last.bytes)}
        </>
      )}
    </dd>
    <dt>Teste de restauração</dt>
    <dd>
      {drill === null ? (
        <Badge tone="warn" icon="alert">
          nenhum ainda
        </Badge>
      ) : (
        <>
          <Badge tone={drill.ok ? 'good' : 'bad'} icon={drill.ok ? 'check' : 'alert'}>
            {drill.ok ? 'restaurou inteira' : 'falhou'}
          </Badge>{' '}
          {momentText(drill.at)}
          {drill.message !== null && `: ${drill.message}`}
        </>
      )}
    </dd>
  </dl>
);

function Companies({ companies }: { readonly companies: readonly Company[] }) {
  if (companies.length === 0)
    return <p class="muted">Nenhuma ainda. Comece por uma empresa, um usuário e uma representação.</p>;
  return (
    <>
      <p class="muted">{withCount(companies.length, 'empresa', 'empresas')}</p>
      <ul class="panel-rows">
        {companies.slice(0, COMPANIES).map(({ cpfCnpjRaiz, nome }) => (
          <li key={cpfCnpjRaiz}>
            <bdi>{nome}</bdi> <code>{numberText(cpfCnpjRaiz)}</code>
          </li>
        ))}
      </ul>
      {companies.length > COMPANIES && <p class="muted">e mais {companies.length - COMPANIES}.</p>}
    </>
  );
}

/** Shown until the instance has a table in force and a company. */
function FirstSteps({ hasTable, hasCompany }: { readonly hasTable: boolean; readonly hasCompany: boolean }) {
  if (hasTable && hasCompany) return null;
  return (
    <Card title="Primeiros passos">
      <ol class="panel-beginning">
        <Step title="Tabela de atributos" isDone={hasTable}>
          O serviço público publica a tabela por NCM; a página tem o endereço e a busca quando você pedir.{' '}
          <Link href="/atributos?aba=tabelas">Buscar a tabela</Link>
        </Step>
        <Step title="Empresas" isDone={hasCompany}>
          Cada empresa tem um catálogo. <Link href="/administracao?aba=contas">Incluir a primeira</Link>
        </Step>
        <Step title="O catálogo que já está no Portal">
          Quem representa a empresa o traz em Importar, pelos arquivos que o Portal exporta; ou ele vem de lá
          por um remoto. <Link href="/remotos">Incluir um remoto</Link>
        </Step>
        <Step title="As outras pessoas">
          Uma pessoa de cada vez, ou uma lista. <Link href="/administracao?aba=contas">Dar acesso</Link>
        </Step>
      </ol>
    </Card>
  );
}

const Step = ({
  title,
  isDone = false,
  children,
}: {
  readonly title: string;
  readonly isDone?: boolean;
  readonly children: JSX.Element | readonly (JSX.Element | string)[] | string;
}) => (
  <li>
    <strong>{title}</strong>{' '}
    {isDone && (
      <Badge tone="good" icon="check">
        Feito
      </Badge>
    )}
    <p class="muted">{children}</p>
  </li>
);
