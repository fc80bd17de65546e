/**
 * Lists future tables, each with a link to its impact on products. The impact is no deadline (section 19).
 */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import type { ListedAttributeTable } from '../api/answers.ts';
import { queryOf } from '../api/client.ts';
import { useResource } from '../api/use-resource.ts';
import { dayText } from '../words.ts';
import { TABLES } from '../atributos/words.ts';

export function ComingTables(): JSX.Element {
  const { value: tables = [] } = useResource<readonly ListedAttributeTable[]>(TABLES);
  const coming = tables.flatMap(({ id, versao, scheduledOn }) =>
    scheduledOn.map((on) => ({ id, versao, on })),
  );
  return (
    <>
      {coming
        .toSorted((a, b) => (a.on < b.on ? -1 : 1))
        .map(({ id, versao, on }) => (
          <p key={`${id} ${on}`}>
            A tabela {versao} entra em vigor em {dayText(on)}:{' '}
            <Link href={`/atributos${queryOf({ aba: 'tabelas', tabela: String(id), em: on })}`}>
              ver o que ela deixaria inválido
            </Link>
          </p>
        ))}
    </>
  );
}
