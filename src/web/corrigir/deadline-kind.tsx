/** Names the certainty of a deadline. */
import type { Deadline } from '../api/answers.ts';
import { Badge } from '../ui/badge.tsx';

export const DeadlineKind = ({ kind, overdue }: Pick<Deadline, 'kind' | 'overdue'>) => {
  if (kind === 'certain') return <Badge icon="clock">Certo</Badge>;
  return overdue ? <Badge tone="bad">Venceu sem tabela nova</Badge> : <>Se a tabela pública confirmar</>;
};
