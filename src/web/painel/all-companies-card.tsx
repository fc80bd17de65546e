/**
 * Lists the open matters of each company for users with several companies. Companies without matters are
 * folded. A matter that the page already shows is not repeated (contract section 17).
 */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import type { Resource } from '../api/use-resource.ts';
import { Card } from '../ui/page.tsx';
import { CompanyName } from '../ui/where.tsx';
import { counted } from '../words.ts';
import { type CompanyAttention, Matters, useMatters } from './attention-card.tsx';

export function AllCompaniesCard({
  of,
  companies,
  above,
}: {
  readonly of: Resource<readonly CompanyAttention[]>;
  readonly companies: readonly CompanyAttention[];
  /** Company whose matters have a card of their own above this one. */
  readonly above: CompanyAttention | undefined;
}): JSX.Element {
  const { linesOf, alert } = useMatters(of);
  const [busy, calm] = [
    companies.filter(({ items }) => items.length > 0),
    companies.filter(({ items }) => items.length === 0),
  ];
  return (
    <Card title="Todas as minhas empresas">
      {alert}
      <ul class="panel-rows">
        {busy.map((company, index) => {
          const previous = [...(above === undefined ? [] : [above]), ...busy.slice(0, index)];
          const further = company === above ? [] : linesOf([withoutShown(company, previous)]);
          return (
            <li key={company.cpfCnpjRaiz}>
              <CompanyLink of={company} />
              {further.length > 0 ? <Matters of={further} /> : <p class="muted">{ABOVE}</p>}
            </li>
          );
        })}
      </ul>
      {calm.length > 0 && (
        <details>
          <summary>
            {counted(calm.length, 'empresa em que nada pede atenção', 'empresas em que nada pede atenção')}
          </summary>
          <ul class="panel-rows">
            {calm.map((company) => (
              <li key={company.cpfCnpjRaiz}>
                <CompanyLink of={company} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  );
}

const ABOVE = 'O que pede atenção já está acima.';

const CompanyLink = ({ of: company }: { readonly of: CompanyAttention }): JSX.Element => (
  <Link href={`/?cpfCnpjRaiz=${company.cpfCnpjRaiz}`}>
    <CompanyName {...company} />
  </Link>
);

/**
 * Removes matters that an earlier company already shows. A subscription or a missing table applies to several
 * companies.
 */
function withoutShown(company: CompanyAttention, before: readonly CompanyAttention[]): CompanyAttention {
  const earlierMatters = new Set(
    before.flatMap(({ items }) => items.map(({ href, message }) => href + message)),
  );
  return {
    ...company,
    items: company.items.filter(({ href, message }) => !earlierMatters.has(href + message)),
  };
}
