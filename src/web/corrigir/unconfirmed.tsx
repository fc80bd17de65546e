/** Lists announced changes that the table in force did not confirm, as long as it is in force. */
import type { JSX } from 'preact';
import type { DeadlinePage } from '../api/answers.ts';
import { useResource } from '../api/use-resource.ts';
import { Notice } from '../ui/alert.tsx';
import { Ncm, NcmDescription } from '../ui/ncm.tsx';
import { countText, withCount, dayText } from '../words.ts';

/** Maximum number of listed changes. Further ones are only counted. */
const ROWS_MAX = 5;

export function Unconfirmed({ company }: { readonly company: string }): JSX.Element | null {
  const { value } = useResource<DeadlinePage>('/appliance/api/deadlines', {
    query: { cpfCnpjRaiz: company, unconfirmed: true, limit: ROWS_MAX },
  });
  if (value === undefined || value.total === 0) return null;
  const { items, total } = value;
  return (
    <Notice tone="calm">
      <p>
        A tabela em vigor não confirmou{' '}
        {withCount(total, 'prazo anunciado, que deixou', 'prazos anunciados, que deixaram')} de valer:
      </p>
      <ul>
        {items.map(({ on, ncm, modalidade, codigo, nome }) => (
          <li key={[on, ncm, modalidade, codigo].join(' ')}>
            {dayText(on)}, <Ncm code={ncm} /> <NcmDescription code={ncm} />: <bdi>{nome}</bdi> ({codigo})
          </li>
        ))}
        {total > items.length && <li>e mais {countText(total - items.length)}</li>}
      </ul>
    </Notice>
  );
}
