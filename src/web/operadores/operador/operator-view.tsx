/** Parts of the operator page: content of a version, timeline, comparison of two versions, products. */
import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { OPERATOR } from '../../../catalogue/members/foreign-operator.ts';
import type { ListedVersion, PagedLink } from '../../api/answers.ts';
import type { Filters } from '../../api/use-filters.ts';
import type { Resource } from '../../api/use-resource.ts';
import { Situation } from '../../ui/badge.tsx';
import { countryName } from '../../ui/countries.ts';
import { Card, ResourceView } from '../../ui/page.tsx';
import { AsOf } from '../../versions/as-of.tsx';
import { Compare } from '../../versions/compare.tsx';
import { Timeline } from '../../versions/timeline.tsx';
import { queryOf } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import { ErrorAlert } from '../../ui/alert.tsx';
import { Skeleton } from '../../ui/progress.tsx';
import { EmptyList } from '../../ui/table.tsx';
import { withCount, dayText } from '../../words.ts';
import { LINK_PAGES } from '../../vinculos/maker.ts';
import { memberName, type Operator, TEXTS, versionPathOf } from '../operator.ts';

export type OperatorState = Filters<'versao' | 'dataReferencia'>;

export interface OperatorViewProps {
  readonly operator: Operator;
  readonly versions: readonly ListedVersion[];
  readonly content: Resource<Operator>;
  /** The version whose content is shown. */
  readonly currentVersion: string;
  readonly state: OperatorState;
  readonly setState: (changed: Partial<OperatorState>) => void;
}

export function OperatorView(props: OperatorViewProps) {
  const { operator, versions, content, currentVersion, state, setState } = props;
  return (
    <>
      <Card title={`Versão ${currentVersion}`}>
        <div class="stack">
          <AsOf
            versions={versions}
            day={state.dataReferencia}
            onDay={(day) => setState({ dataReferencia: day, versao: '' })}
          />
          <ResourceView resource={content}>{(value) => <Content operator={value} />}</ResourceView>
        </div>
      </Card>
      <div class="grid">
        <Card title="Linha do tempo">
          <Timeline
            versions={versions}
            currentVersion={currentVersion}
            onShow={(versao) => setState({ versao })}
          />
        </Card>
        <Card title="Fabrica">
          <OperatorProducts operator={operator} />
        </Card>
      </div>
      <Compare versions={versions} pathOf={(versao) => versionPathOf(operator, versao)} nameOf={memberName} />
    </>
  );
}

const Content = ({ operator }: { readonly operator: Operator }) => (
  <dl class="operator-content">
    {TEXTS.map((member) => (
      <Item key={member} name={OPERATOR[member].heading}>
        {member === 'codigoPais' ? (
          <>
            <code>{operator.codigoPais}</code> {countryName(operator.codigoPais)}
          </>
        ) : (
          <bdi>{operator[member] ?? '–'}</bdi>
        )}
      </Item>
    ))}
    {operator.identificacoesAdicionais.map(({ numero, codigo }, index) => (
      <Item key={index} name={`Identificação ${index + 1}`}>
        <bdi>{numero}</bdi> (agência <bdi>{codigo}</bdi>)
      </Item>
    ))}
    <Item name="Situação da versão">
      <Situation situacao={operator.situacao} />
    </Item>
  </dl>
);

const Item = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const ROWS_MAX = 10;

/** Lists the products whose manufacturer or producer is this operator. */
function OperatorProducts({ operator: { cpfCnpjRaiz, codigo } }: { readonly operator: Operator }) {
  const query = { cpfCnpjRaiz, codigoOperadorEstrangeiro: codigo };
  const { rows, total, error, reload } = usePages<PagedLink>(LINK_PAGES, query);
  if (error !== undefined) return <ErrorAlert error={error} onRetry={reload} />;
  if (total === undefined) return <Skeleton lines={4} />;
  if (total === 0) return <EmptyList>Nenhum produto o tem como fabricante.</EmptyList>;
  return (
    <div class="stack">
      <ul class="plain operator-products">
        {rows.slice(0, ROWS_MAX).map(({ codigoProduto, denominacao, startsOn }) => (
          <li key={codigoProduto}>
            <code>{codigoProduto}</code>{' '}
            <Link href={`/produtos/${cpfCnpjRaiz}/${codigoProduto}`}>
              <bdi>{denominacao}</bdi>
            </Link>{' '}
            <span class="muted">desde {dayText(startsOn)}</span>
          </li>
        ))}
      </ul>
      <p>
        <Link href={`/vinculos${queryOf(query)}`}>
          {total > ROWS_MAX ? `Ver todos: ${withCount(total, 'produto', 'produtos')}` : 'Ver em Vínculos'}
        </Link>
      </p>
    </div>
  );
}
