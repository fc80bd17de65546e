/** The audit by its filters, page after page; the server says where the next one begins. */
import { useEffect, useState } from 'preact/hooks';
import type { AuditEntry, AuditPage } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { type Query, queryOf } from '../api/client.ts';
import type { ApiError } from '../api/result.ts';

const AUDIT = '/appliance/api/audit';

interface State extends AuditPage {
  /** The filters that it is of. */
  readonly of: string;
}

export interface AuditRows {
  readonly rows: readonly AuditEntry[];
  readonly ready: boolean;
  readonly isWhole: boolean;
  readonly error: ApiError | undefined;
  readonly busy: boolean;
  readonly more: () => void;
  readonly retry: () => void;
}

export function useAudit(filters: Query): AuditRows {
  const question = queryOf(filters);
  const [state, setState] = useState<State>();
  const [error, setError] = useState<ApiError>();
  const [further, setFurther] = useState<{ readonly of: string; readonly after: number }>();
  const [busy, setBusy] = useState(false);
  const [turn, setTurn] = useState(0);
  // Other filters begin at their newest entry.
  const after = further?.of === question ? further.after : undefined;
  useEffect(() => {
    const left = new AbortController();
    const ask = async (): Promise<void> => {
      setBusy(true);
      const answer = await api.get<AuditPage>(AUDIT, { query: { ...filters, after }, signal: left.signal });
      if (left.signal.aborted) return;
      setBusy(false);
      setError(answer.ok ? undefined : answer.error);
      if (!answer.ok) return;
      const { items, next } = answer.value;
      setState((before) => ({
        of: question,
        items: after === undefined || before?.of !== question ? items : [...before.items, ...items],
        next,
      }));
    };
    void ask();
    return () => left.abort();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `question` is all of the filters
  }, [question, after, turn]);
  return {
    rows: state?.items ?? [],
    ready: state !== undefined && error === undefined,
    isWhole: state === undefined || state.next === null,
    ...{ error, busy },
    more: () =>
      state?.next != null && state.of === question && setFurther({ of: question, after: state.next }),
    retry: () => setTurn((before) => before + 1),
  };
}
