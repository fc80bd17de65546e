/** Explains why the system deactivated a product: the attributes, the table, and the way to the queue. */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import type { ListedVersion, Mending } from '../../api/answers.ts';
import { queryOf } from '../../api/client.ts';
import { addressFor } from '../../api/use-company.ts';
import { useResource } from '../../api/use-resource.ts';
import { ReasonText } from '../../corrigir/reason-text.tsx';
import { Notice } from '../../ui/alert.tsx';
import { ResourceView } from '../../ui/page.tsx';
import { dayText, momentText } from '../../words.ts';
import { PRODUCT_PAGES } from '../product.ts';

export interface DeactivationProps {
  readonly cpfCnpjRaiz: string;
  readonly codigo: string;
  /** Current version, which the system deactivated. */
  readonly version: ListedVersion;
}

export function Deactivation({ cpfCnpjRaiz, codigo, version }: DeactivationProps): JSX.Element {
  const { deactivatedAt, deactivatedByTable: table } = version;
  // The content has not changed since the deactivation, so the same table finds the same problems. If that
  // table is not stored any more, the one in force judges it.
  const query = { cpfCnpjRaiz, codigo, ...(table?.isWhole === true && { toMend: String(table.id) }) };
  const mending = useResource<Mending>(`${PRODUCT_PAGES}/reasons${queryOf(query)}`);
  return (
    <Notice tone="warn">
      <p>
        O sistema desativou este produto em {momentText(deactivatedAt ?? '')}, porque{' '}
        {table === undefined
          ? 'a tabela de atributos não o admitia'
          : `a tabela de atributos ${table.versao}, em vigor desde ${dayText(table.inForceOn)}, não o admite`}
        .
      </p>
      <ResourceView resource={mending}>
        {({ reasons }) =>
          reasons.length === 0 ? (
            <p>Hoje nada mais falta nele.</p>
          ) : (
            <ul class="plain">
              {reasons.map((reason) => (
                <li key={`${reason.reason} ${reason.member}`}>
                  <ReasonText mendingReason={reason} toMend="" />
                </li>
              ))}
            </ul>
          )
        }
      </ResourceView>
      <p>
        Uma nova versão o ativa de novo.{' '}
        <Link href={addressFor('/corrigir', cpfCnpjRaiz)}>Ver todos os produtos a corrigir</Link>
      </p>
    </Notice>
  );
}
