/** Status of an automatically fetched list: result of the last fetch and time of the next. */
import type { ComponentChildren } from 'preact';
import type { NomenclatureOrigin } from '../api/answers.ts';
import { momentText } from '../words.ts';
import { Notice } from './alert.tsx';

/**
 * Renders nothing without a configured origin. `subject`: begins a sentence, `A tabela`. The
 * children say what happens with a new list.
 */
export function LastFetch(props: {
  readonly origin: NomenclatureOrigin;
  readonly subject: string;
  readonly children?: ComponentChildren;
}) {
  const { isSet, last, nextAt } = props.origin;
  const { subject, children } = props;
  if (!isSet) return null;
  return (
    <Notice tone={toneOf(last)}>
      {last === null
        ? `${subject} é buscada automaticamente; nada foi buscado ainda.`
        : `Última busca na origem, ${momentText(last.at)}: ${last.message}`}{' '}
      Próxima: {nextAt === null ? 'só quando alguém pedir' : momentText(nextAt)}. {children}
    </Notice>
  );
}

function toneOf(last: NomenclatureOrigin['last']): 'calm' | 'good' | 'warn' | 'bad' {
  if (last === null) return 'calm';
  if (!last.ok) return 'bad';
  return last.asksForSomebody ? 'warn' : 'good';
}
