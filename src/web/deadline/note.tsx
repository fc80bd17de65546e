/** The note next to an attribute that becomes required, with a link to all products that lack it. */
import { Link } from 'wouter-preact';
import type { Deadline } from '../api/answers.ts';
import { Icon } from '../ui/icon.tsx';
import { dayText } from '../words.ts';
import { lackingAddress } from './address.ts';

export const DeadlineNote = ({
  company,
  deadline,
}: {
  readonly company: string;
  readonly deadline: Deadline;
}) => (
  <p class="deadline-note">
    <Icon name="clock" />
    <span>
      {describeDeadline(deadline)}{' '}
      <Link href={lackingAddress(company, deadline)}>Ver e preencher todos a que falta</Link>
    </span>
  </p>
);

function describeDeadline({ on, kind, overdue }: Deadline): string {
  if (kind === 'certain') return `Obrigatório a partir de ${dayText(on)}.`;
  if (overdue) return `Anunciado como obrigatório desde ${dayText(on)}; ainda falta a tabela que o confirme.`;
  return `Obrigatório a partir de ${dayText(on)}, se a tabela pública confirmar.`;
}
