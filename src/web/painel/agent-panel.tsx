/** The panel of a public agent: the companies that the agent may read. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useSession } from '../api/session.ts';
import { Input } from '../ui/field.tsx';
import { Card } from '../ui/page.tsx';
import { withCount, finder, numberText, unpointed } from '../words.ts';

const FEW = 10;
const ROWS_MAX = 100;

export function CompaniesCard(): JSX.Element {
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
