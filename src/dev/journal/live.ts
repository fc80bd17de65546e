/**
 * Streams new rows as server-sent events. A slow reader loses its oldest waiting rows and receives their
 * count.
 */
import type { RealTime } from '../../clock.ts';
import type { JournalEntry } from './entry.ts';
import type { Journal } from './journal.ts';
import { toRow } from './display.ts';

const WAITING_MAX = 1000;
const HEARTBEAT_MS = 10_000;
const HEARTBEAT = ': catp\n\n';

export class LiveStreams {
  readonly #journal: Pick<Journal, 'listen'>;
  readonly #realTime: RealTime;
  readonly #ends = new Set<() => void>();

  constructor(journal: Pick<Journal, 'listen'>, realTime: RealTime) {
    this.#journal = journal;
    this.#realTime = realTime;
  }

  /** Opens a stream of the entries for which `isWanted` returns true. */
  open(isWanted: (entry: JournalEntry) => boolean): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    let waitingEntries: JournalEntry[] = [];
    let lost = 0;
    let wakeup = Promise.withResolvers<void>();
    let isOver = false;
    const unlisten = this.#journal.listen((entry) => {
      if (!isWanted(entry)) return;
      if (waitingEntries.length >= WAITING_MAX) {
        waitingEntries.shift();
        lost += 1;
      }
      waitingEntries.push(entry);
      wakeup.resolve();
    });
    const end = (): void => {
      isOver = true;
      unlisten();
      this.#ends.delete(end);
      wakeup.resolve();
    };
    this.#ends.add(end);
    const next = async (): Promise<string> => {
      if (waitingEntries.length === 0 && !isOver) {
        const timer = this.#realTime.after(HEARTBEAT_MS, () => wakeup.resolve());
        await wakeup.promise;
        timer.cancel();
      }
      wakeup = Promise.withResolvers();
      const [entries, lostCount] = [waitingEntries, lost];
      [waitingEntries, lost] = [[], 0];
      const lostEvent =
        lostCount === 0 ? '' : `event: lost\ndata: ${JSON.stringify({ count: lostCount })}\n\n`;
      return lostEvent + (entries.map(eventOf).join('') || HEARTBEAT);
    };
    return new ReadableStream<Uint8Array>(
      {
        // The first heartbeat starts the response at once.
        start: (controller) => controller.enqueue(encoder.encode(HEARTBEAT)),
        async pull(controller) {
          const text = await next();
          if (isOver) controller.close();
          else controller.enqueue(encoder.encode(text));
        },
        cancel: end,
      },
      { highWaterMark: 0 },
    );
  }

  /** Ends all streams when the server stops. */
  end(): void {
    for (const end of this.#ends) end();
  }
}

/** Formats an event. JSON text contains no line break. */
const eventOf = (entry: JournalEntry): string => `id: ${entry.id}\ndata: ${JSON.stringify(toRow(entry))}\n\n`;
