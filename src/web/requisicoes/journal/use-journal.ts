/**
 * Keeps the journal live: loads the list, appends new rows from the stream, and reloads rows that the stream
 * lost.
 */
import { useEffect, useState } from 'preact/hooks';
import type { LoggedRequest } from '../../api/answers.ts';
import { api } from '../../api/api.ts';
import type { ApiError } from '../../api/result.ts';
import { pause } from '../../api/use-request.ts';
import { EventReader, type ServerEvent } from './events.ts';
import { MAX_ROWS, mergedRows } from './rows.ts';

const PATH = '/appliance/api/requests';

/** The server sends a message every ten seconds; after this time without one, the stream counts as dead. */
const SILENCE_MS = 25_000;

const RETRY_MS = 1000;

export type LiveState = 'connecting' | 'live' | 'lost';

export interface JournalView {
  readonly rows: readonly LoggedRequest[];
  readonly isReady: boolean;
  readonly live: LiveState;
  readonly error: ApiError | undefined;
  readonly isPaused: boolean;
  /** Number of rows that arrived while the view is paused. */
  readonly waiting: number;
  readonly setPaused: (isPaused: boolean) => void;
  readonly emptied: () => void;
}

/** `pages`: includes the automatic requests of the pages. */
export function useJournal(pages: boolean): JournalView {
  const [rows, setRows] = useState<readonly LoggedRequest[]>([]);
  const [isReady, setReady] = useState(false);
  const [live, setLive] = useState<LiveState>('connecting');
  const [error, setError] = useState<ApiError>();
  const [pausedRows, setPausedRows] = useState<readonly LoggedRequest[]>();

  useEffect(() => {
    const controller = new AbortController();
    const pagesQuery = pages ? { pages } : {};
    const isAborted = (): boolean => controller.signal.aborted;
    const list = async (take: (listed: readonly LoggedRequest[]) => void): Promise<void> => {
      const answer = await api.get<readonly LoggedRequest[]>(PATH, {
        query: { ...pagesQuery, limit: MAX_ROWS },
        signal: controller.signal,
      });
      if (isAborted()) return;
      setError(answer.ok ? undefined : answer.error);
      if (!answer.ok) return;
      take(answer.value);
      setReady(true);
    };
    const follow = async (): Promise<void> => {
      for (;;) {
        const stream = await api.stream(`${PATH}/live`, { query: pagesQuery, signal: controller.signal });
        if (isAborted()) return;
        if (stream.ok) {
          // Another process or data folder restarts the numbering: its list replaces all rows.
          await list(setRows);
          if (isAborted()) return;
          setLive('live');
          await readEvents(stream.value, controller.signal, (events) => {
            const added = events.filter(({ name }) => name === 'message').map(({ data }) => rowOf(data));
            if (added.length > 0) setRows((before) => mergedRows(before, added));
            // Rows from the stream before the answer are newer than the list.
            if (events.some(({ name }) => name === 'lost'))
              void list((listed) => setRows((before) => mergedRows(before, listed)));
          });
        } else setError(stream.error);
        if (isAborted() || !api.tokens.present) return;
        setLive('lost');
        await Promise.all([api.connection.waitForServer(), pause(RETRY_MS)]);
        if (isAborted()) return;
      }
    };
    void follow();
    return () => controller.abort();
  }, [pages]);

  const displayedRows = pausedRows ?? rows;
  const newest = displayedRows[0]?.id ?? 0;
  return {
    rows: displayedRows,
    isReady,
    live,
    error,
    isPaused: pausedRows !== undefined,
    waiting: pausedRows === undefined ? 0 : rows.filter(({ id }) => id > newest).length,
    setPaused: (isPaused) => setPausedRows(isPaused ? rows : undefined),
    emptied: () => {
      setRows([]);
      setPausedRows(undefined);
    },
  };
}

const rowOf = (data: string): LoggedRequest => JSON.parse(data) as LoggedRequest; // Checked against this type by the contract tests

/** Reads events until either side ends the stream. */
async function readEvents(
  { body }: Response,
  signal: AbortSignal,
  take: (events: readonly ServerEvent[]) => void,
): Promise<void> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  const events = new EventReader();
  const decoder = new TextDecoder();
  const cancel = (): void => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', cancel);
  let silence = setTimeout(cancel, SILENCE_MS);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      clearTimeout(silence);
      silence = setTimeout(cancel, SILENCE_MS);
      take(events.take(decoder.decode(value, { stream: true })));
    }
  } catch {
    // The connection was interrupted.
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', cancel);
  }
}
