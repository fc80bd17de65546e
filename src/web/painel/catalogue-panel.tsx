/**
 * The panel of users who read or edit one catalogue. It begins with what needs attention (contract section
 * 17).
 */
import { Link } from 'wouter-preact';
import { daysAfter } from '../../validation/calendar.ts';
import type {
  CatalogueSummary,
  DeadlineDays,
  DeliverySummary,
  ImportProgress,
  Comparison,
  Remote,
  Run,
} from '../api/answers.ts';
import { rolesOf, useSession } from '../api/session.ts';
import { useAttention } from '../api/attention.ts';
import { useResource, type Resource } from '../api/use-resource.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { ResourceView, Card } from '../ui/page.tsx';
import { Skeleton } from '../ui/progress.tsx';
import { OwnProposals } from '../aprovar/waiting.tsx';
import { queryOf } from '../api/client.ts';
import { Tally } from '../ui/tally.tsx';
import { countText, momentText, withCount, dayText } from '../words.ts';
import { Chart } from '../ui/chart.tsx';
import { addressFor } from '../api/use-company.ts';
import { outcomeInWords } from '../importar/kinds.ts';
import { LinkButton } from '../ui/button.tsx';
import { differenceCount } from '../remotos/counts.tsx';
import { COMPARISONS, RUNS, isComparing, isRunOver, runTitle } from '../remotos/words.ts';
import { RunBadge } from '../remotos/run-badge.tsx';
import { useRemotes } from '../remotos/use-remotes.ts';
import { AttentionCard, useAttentionLines } from './attention-card.tsx';
import { DeliveriesCard } from './deliveries-card.tsx';
import { instanceAttention } from './instance-attention.ts';
import { isEmpty } from './empty.ts';

const DAYS = 7;
/** Number of days of the chart: a deadline is announced about a month ahead. */
const DEADLINE_DAYS = 30;
const IMPORTS = 5;

export function CataloguePanel(props: { readonly company: string; readonly refusal: string | undefined }) {
  const { company, refusal } = props;
  const session = useSession();
  const mayWrite = rolesOf(session).includes('representative');
  const summary = useResource<CatalogueSummary>('/appliance/api/summary', {
    query: { cpfCnpjRaiz: company },
  });
  const deliveries = useResource<DeliverySummary>('/appliance/api/deliveries/summary', {
    query: { cpfCnpjRaiz: company, days: DAYS },
  });
  const imports = useResource<readonly ImportProgress[]>(mayWrite ? '/appliance/api/imports' : undefined, {
    query: { cpfCnpjRaiz: company, limit: IMPORTS },
  });
  // The day of the instance's clock, taken from the deliveries.
  const today = deliveries.value?.days.at(-1)?.day;
  const deadlines = useResource<DeadlineDays>(today && '/appliance/api/deadlines/days', {
    query: { cpfCnpjRaiz: company, until: today && daysAfter(today, DEADLINE_DAYS) },
  });
  const attention = useAttention({ company, isEnabled: mayWrite });
  const { linesOf, alert } = useAttentionLines(attention);
  // Shown together, so that nothing moves down when the slower answer comes.
  const resources = [
    summary,
    deliveries,
    ...(today === undefined ? [] : [deadlines]),
    ...(mayWrite ? [imports, attention] : []),
  ];
  const isLoaded = resources.every(({ isReady, error }) => isReady || error !== undefined);
  // Administrators see the items of the instance in their own panel.
  const lines = [
    ...(session.administrador ? [] : instanceAttention({ refusal, isAdministrator: false })),
    ...linesOf(attention.value ?? []),
  ];
  return (
    <>
      {!isLoaded && <Skeleton lines={8} />}
      {isLoaded && mayWrite && (
        <>
          {alert}
          <ErrorAlert error={attention.error} onRetry={attention.reload} />
          <AttentionCard lines={lines} isComplete={attention.isReady} />
          <OwnProposals company={company} />
        </>
      )}
      {isLoaded && (
        <ResourceView resource={summary}>
          {(numbers) =>
            isEmpty(numbers) && mayWrite ? <Beginning company={company} /> : <Numbers summary={numbers} />
          }
        </ResourceView>
      )}
      {isLoaded && deadlines.value !== undefined && (
        <DeadlinesCard company={company} deadlines={deadlines.value} />
      )}
      {isLoaded && summary.value !== undefined && summary.value.chapters.length > 0 && (
        <ChaptersCard summary={summary.value} />
      )}
      <div class="panel-columns">
        {mayWrite && <ImportsCard imports={imports} company={company} />}
        <DeliveriesCard summary={deliveries} />
        {mayWrite && <RemotesCard key={company} company={company} />}
      </div>
    </>
  );
}

/** The numbers of a company's catalogue. Each links to its records. */
function Numbers({ summary }: { readonly summary: CatalogueSummary }) {
  const { cpfCnpjRaiz, products, foreignOperators, manufacturerLinks } = summary;
  // A subset of the deactivated products, not an addition to them.
  const bySystem = products.deactivatedBySystem;
  const productsIn = (situacao: string) => `/produtos${queryOf({ cpfCnpjRaiz, situacao })}`;
  return (
    <div class="panel-columns panel-numbers">
      <Card title="Produtos">
        <dl class="tally">
          <Tally name="Ativados" value={products.ATIVADO} href={productsIn('ATIVADO')} />
          <Tally name="Rascunhos" value={products.RASCUNHO} href={productsIn('RASCUNHO')} />
          <Tally
            name={bySystem === 0 ? 'Desativados' : `Desativados, ${countText(bySystem)} pelo sistema`}
            value={products.DESATIVADO}
            href={productsIn('DESATIVADO')}
            bad={bySystem > 0}
          />
        </dl>
      </Card>
      <Card title="Operadores e vínculos">
        <dl class="tally">
          <Tally
            name="Operadores ativados"
            value={foreignOperators.ATIVADO}
            href={`/operadores${queryOf({ cpfCnpjRaiz })}`}
          />
          <Tally
            name="Operadores desativados"
            value={foreignOperators.DESATIVADO}
            href={`/operadores${queryOf({ cpfCnpjRaiz, exibirDesativados: true })}`}
          />
          <Tally
            name="Fabricantes vinculados"
            value={manufacturerLinks}
            href={`/vinculos${queryOf({ cpfCnpjRaiz })}`}
          />
        </dl>
      </Card>
    </div>
  );
}

const SITUATIONS = [
  { name: 'Ativados', tone: 'good' },
  { name: 'Rascunhos', tone: 'calm' },
  { name: 'Desativados por alguém', tone: 'warn' },
  { name: 'Desativados pelo sistema', tone: 'bad' },
] as const;

/** Counts the products by NCM chapter and situation. Each number links to its products. */
const ChaptersCard = ({ summary: { cpfCnpjRaiz, chapters } }: { readonly summary: CatalogueSummary }) => (
  <Card title="Produtos por capítulo da NCM">
    <Chart
      title="Produtos de cada capítulo, por situação"
      unit="produtos"
      barHeading="Capítulo"
      series={SITUATIONS}
      bars={chapters.map(({ chapter, ATIVADO, RASCUNHO, DESATIVADO, deactivatedBySystem }) => ({
        label: chapter ?? 'sem',
        name: chapter === null ? 'Sem NCM' : `Capítulo ${chapter}`,
        values: [ATIVADO, RASCUNHO, DESATIVADO - deactivatedBySystem, deactivatedBySystem],
        ...(chapter !== null && { href: `/produtos${queryOf({ cpfCnpjRaiz, ncm: chapter })}` }),
      }))}
    />
  </Card>
);

/** The latest imports of the user. */
const ImportsCard = ({
  imports,
  company,
}: {
  readonly imports: Resource<readonly ImportProgress[]>;
  readonly company: string;
}) => (
  <Card
    title="Importações recentes"
    actions={<LinkButton href={addressFor('/importar', company)}>Enviar arquivo</LinkButton>}
  >
    <ResourceView resource={imports}>
      {(jobs) =>
        jobs.length === 0 ? (
          <p class="muted">Nenhuma importação ainda.</p>
        ) : (
          <ul class="panel-rows">
            {jobs.map((job) => (
              <li key={job.id}>
                <Link href={`/importar/${job.id}`}>{job.fileName}</Link>
                <p class="muted">
                  {momentText(job.createdAt)} · {outcomeInWords(job)}
                </p>
              </li>
            ))}
          </ul>
        )
      }
    </ResourceView>
  </Card>
);

const SERIES = [{ name: 'Produtos a que falta algo', tone: 'warn' }] as const;

/** Renders nothing when no product lacks anything. `deadlines`: those within thirty days. */
function DeadlinesCard(props: { readonly company: string; readonly deadlines: DeadlineDays }) {
  const {
    company,
    deadlines: { days, overdue },
  } = props;
  if (days.length === 0 && overdue === 0) return null;
  return (
    <Card title="Próximos 30 dias">
      {days.length > 0 && (
        <Chart
          title="O que vai ser exigido e ainda falta"
          unit="produtos"
          barHeading="Dia"
          series={SERIES}
          bars={days.map(({ on, products }) => ({
            label: dayText(on).slice(0, 5),
            name: `A partir de ${dayText(on)}`,
            values: [products],
            href: `/produtos${queryOf({ cpfCnpjRaiz: company, deadline: on })}`,
          }))}
        />
      )}
      {overdue > 0 && (
        <p>
          {withCount(overdue, 'produto não tem', 'produtos não têm')} o que foi anunciado para um dia que já
          chegou; a tabela que o confirme ainda não entrou em vigor.
        </p>
      )}
      <p>
        <Link href={`/corrigir${queryOf({ aba: 'prazos', cpfCnpjRaiz: company })}`}>Ver os prazos</Link>
      </p>
    </Card>
  );
}

/** Explains the first steps in an empty catalogue. */
const Beginning = ({ company }: { readonly company: string }) => (
  <Card title="Comece por aqui">
    <p>O catálogo desta empresa ainda está vazio. Há três jeitos de começar:</p>
    <ol class="panel-beginning">
      <li>
        <strong>Importar um arquivo</strong>
        <p class="muted">
          O arquivo que o Portal Único exporta, em JSON ou zip, ou a planilha do seu ERP. Dá para conferir
          antes, sem gravar nada.
        </p>
        <Link class="button primary" href={addressFor('/importar', company)}>
          Enviar um arquivo
        </Link>
      </li>
      <li>
        <strong>Preencher um modelo</strong>
        <p class="muted">Uma planilha com as colunas certas, para produtos, operadores ou vínculos.</p>
        <Link class="button quiet" href={addressFor('/importar', company)}>
          Ver modelos
        </Link>
      </li>
      <li>
        <strong>Cadastrar um produto</strong>
        <p class="muted">O formulário mostra os atributos que a NCM pede, e guarda rascunhos.</p>
        <Link class="button quiet" href={addressFor('/produtos/novo', company)}>
          Novo produto
        </Link>
      </li>
    </ol>
  </Card>
);

const POLL_MS = 5000;

/** Shows the differences and active runs of each remote. Renders nothing for a company without remotes. */
function RemotesCard({ company }: { readonly company: string }) {
  const remotes = useRemotes(company, true);
  const query = { cpfCnpjRaiz: company };
  const isRequested = remotes.length > 0;
  const comparisons = useResource<readonly Comparison[]>(isRequested ? COMPARISONS : undefined, { query });
  const runs = useResource<readonly Run[]>(isRequested ? RUNS : undefined, {
    query,
    pollAfter: (all) => (all.every(isRunOver) ? undefined : POLL_MS),
  });
  if (comparisons.value === undefined || runs.value === undefined) return null;
  const { value: compared } = comparisons;
  const underWay = runs.value.filter((run) => !run.simulated && !isRunOver(run));
  return (
    <Card title="Remotos">
      <ul class="panel-rows">
        {remotes.map((remote) => (
          <Row
            key={remote.name}
            remote={remote}
            company={company}
            newest={compared.find((comparison) => comparison.remote === remote.name)}
            newestDone={compared.find(
              (comparison) => comparison.remote === remote.name && comparison.state === 'done',
            )}
            run={underWay.find((run) => run.remote === remote.name)}
          />
        ))}
      </ul>
    </Card>
  );
}

function Row(props: {
  readonly remote: Remote;
  readonly company: string;
  readonly newest: Comparison | undefined;
  readonly newestDone: Comparison | undefined;
  readonly run: Run | undefined;
}) {
  const { name } = props.remote;
  const { company, newest, newestDone, run } = props;
  const differing = newestDone === undefined ? 0 : differenceCount(newestDone);
  const facts = [
    newestDone === undefined
      ? 'ainda não comparado'
      : `${differing === 0 ? 'tudo igual' : withCount(differing, 'difere', 'diferem')} · comparado em ${momentText(newestDone.at)}`,
    newest !== undefined && isComparing(newest) ? 'comparando agora' : '',
    newest?.state === 'failed' ? 'a última comparação falhou' : '',
  ];
  return (
    <li>
      <Link href={addressFor(`/remotos?remote=${name}`, company)}>{name}</Link>
      <p class="muted">{facts.filter((fact) => fact !== '').join(' · ')}</p>
      {run !== undefined && (
        <p class="muted">
          <Link href={addressFor(`/remotos/${run.id}`, company)}>{runTitle(run)}</Link> <RunBadge run={run} />{' '}
          {countText(run.done)} de {withCount(run.total, 'passo', 'passos')}
        </p>
      )}
    </li>
  );
}
