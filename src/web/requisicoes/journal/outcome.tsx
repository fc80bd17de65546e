import type { LoggedRequest } from '../../api/answers.ts';
import { Badge } from '../../ui/badge.tsx';

/** Shows the status by number, shape and colour. */
export function Outcome({ row: { status } }: { readonly row: Pick<LoggedRequest, 'status'> }) {
  const [tone, icon] = lookOf(status);
  return (
    <Badge tone={tone} icon={icon}>
      {status ?? 'cortada'}
    </Badge>
  );
}

function lookOf(status: number | null) {
  if (status === null) return ['bad', 'cross'] as const;
  if (status >= 500) return ['bad', 'alert'] as const;
  return status >= 400 ? (['warn', 'cross'] as const) : (['good', 'check'] as const);
}
