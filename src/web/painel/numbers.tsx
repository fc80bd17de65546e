/** The catalogue of a company in numbers; each leads to what it counts. */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import type { CatalogueSummary } from '../api/answers.ts';
import { queryOf } from '../api/client.ts';
import { Card } from '../ui/page.tsx';
import { count } from '../words.ts';

export function Numbers({ of: summary }: { readonly of: CatalogueSummary }): JSX.Element {
  const { cpfCnpjRaiz, products, foreignOperators, manufacturerLinks } = summary;
  // They are some of those, and not more of them.
  const bySystem = products.deactivatedBySystem;
  const productsIn = (situacao: string) => `/produtos${queryOf({ cpfCnpjRaiz, situacao })}`;
  return (
    <div class="panel-columns panel-numbers">
      <Card title="Produtos">
        <dl class="tally">
          <Figure name="Ativados" value={products.ATIVADO} href={productsIn('ATIVADO')} />
          <Figure name="Rascunhos" value={products.RASCUNHO} href={productsIn('RASCUNHO')} />
          <Figure
            name={bySystem === 0 ? 'Desativados' : `Desativados, ${count(bySystem)} pelo sistema`}
            value={products.DESATIVADO}
            href={productsIn('DESATIVADO')}
            isBad={bySystem > 0}
          />
        </dl>
      </Card>
      <Card title="Operadores e vínculos">
        <dl class="tally">
          <Figure
            name="Operadores ativados"
            value={foreignOperators.ATIVADO}
            href={`/operadores${queryOf({ cpfCnpjRaiz })}`}
          />
          <Figure
            name="Operadores desativados"
            value={foreignOperators.DESATIVADO}
            href={`/operadores${queryOf({ cpfCnpjRaiz, exibirDesativados: true })}`}
          />
          <Figure
            name="Fabricantes vinculados"
            value={manufacturerLinks}
            href={`/vinculos${queryOf({ cpfCnpjRaiz })}`}
          />
        </dl>
      </Card>
    </div>
  );
}

function Figure({
  name,
  value,
  href,
  isBad = false,
}: {
  readonly name: string;
  readonly value: number;
  readonly href?: string;
  readonly isBad?: boolean;
}): JSX.Element {
  return (
    <div class={isBad ? 'bad' : ''}>
      <dt>{href === undefined ? name : <Link href={href}>{name}</Link>}</dt>
      <dd>{count(value)}</dd>
    </div>
  );
}
