import type { JSX } from 'preact';
import type { LoggedRequest } from '../../api/answers.ts';
import { Badge } from '../../ui/badge.tsx';

/** The status by number, shape and colour. */
export function Outcome({ row: { status } }: { readonly row: Pick<LoggedRequest, 'status'> }): JSX.Element {
  if (status === null)
    return (
      <Badge tone="bad" icon="cross">
        cortada
      </Badge>
    );
  if (status >= 500)
    return (
      <Badge tone="bad" icon="alert">
        {status}
      </Badge>
    );
  return status >= 400 ? (
    <Badge tone="warn" icon="cross">
      {status}
    </Badge>
  ) : (
    <Badge tone="good" icon="check">
      {status}
    </Badge>
  );
}
