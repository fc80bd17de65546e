/** Where the table comes from by itself: what came of the last fetch, and when the next one is. */
import type { JSX } from 'preact';
import type { AttributeTableOrigin } from '../api/answers.ts';
import { useResource } from '../api/use-resource.ts';
import { Notice } from '../ui/alert.tsx';
import { moment } from '../words.ts';
import { TABLES } from './words.ts';

/** Nothing where none is set. */
export function Origin(): JSX.Element | null {
  const { value } = useResource<AttributeTableOrigin>(`${TABLES}/origin`);
  if (value === undefined || !value.isSet) return null;
  const { last, nextAt, activates } = value;
  const next = nextAt === null ? 'só por pedido' : moment(nextAt);
  return (
    <Notice tone={toneOf(last)}>
      {last === null
        ? 'A tabela vem sozinha de sua origem; nada foi buscado ainda.'
        : `Última busca na origem, ${moment(last.at)}: ${last.message}`}{' '}
      Próxima: {next}.{' '}
      {activates === 'sozinha'
        ? 'Uma tabela nova entra em vigor sozinha, a não ser que tenha perdido muito.'
        : 'Uma tabela nova espera que alguém a ponha em vigor.'}
    </Notice>
  );
}

function toneOf(last: AttributeTableOrigin['last']): 'calm' | 'good' | 'warn' | 'bad' {
  if (last === null) return 'calm';
  if (!last.ok) return 'bad';
  return last.asksForSomebody ? 'warn' : 'good';
}
