/** The numbers of a company's catalogue. Each links to its records. */
import type { JSX } from 'preact';
import type { CatalogueSummary } from '../api/answers.ts';
import { queryOf } from '../api/client.ts';
import { Card } from '../ui/page.tsx';
import { Tally } from '../ui/tally.tsx';
import { countText } from '../words.ts';

export function Numbers({ summary }: { readonly summary: CatalogueSummary }): JSX.Element {
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
