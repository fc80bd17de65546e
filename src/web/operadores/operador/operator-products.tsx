/** Lists the products whose manufacturer or producer is this operator. */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import type { PagedLink } from '../../api/answers.ts';
import { queryOf } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import { ErrorAlert } from '../../ui/alert.tsx';
import { Skeleton } from '../../ui/progress.tsx';
import { EmptyList } from '../../ui/table.tsx';
import { withCount, dayText } from '../../words.ts';
import { LINK_PAGES } from '../../vinculos/maker.ts';
import type { Operator } from '../operator.ts';

const ROWS_MAX = 10;

export function OperatorProducts({
  operator: { cpfCnpjRaiz, codigo },
}: {
  readonly operator: Operator;
}): JSX.Element {
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
