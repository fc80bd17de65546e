/** Passes a stream through without delay and without buffering it. An observer receives each chunk and the end. */

export interface StreamObserver {
  readonly onChunk?: (bytes: Uint8Array) => void;
  /** Called once, when the stream ends: completely read, failed, or cancelled by its reader. */
  readonly onEnd?: () => void;
  /** Aborts the stream with an error, so that no reader takes an incomplete stream for a complete one. */
  readonly signal?: AbortSignal;
}

export function observeStream(
  content: ReadableStream<Uint8Array>,
  { onChunk, onEnd, signal }: StreamObserver,
): ReadableStream<Uint8Array> {
  const reader = content.getReader();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // Observes `closed` before the first read, so that a failure is noticed even if nobody reads.
        reader.closed.then(onEnd, (error: unknown) => {
          onEnd?.();
          controller.error(error);
        });
        const abort = (): void => {
          controller.error(signal?.reason);
          void reader.cancel(signal?.reason);
        };
        if (signal?.aborted === true) abort();
        else signal?.addEventListener('abort', abort, { once: true });
      },
      async pull(controller) {
        const { done, value } = await reader.read();
        if (signal?.aborted === true) return;
        if (done) {
          controller.close();
          return;
        }
        onChunk?.(value);
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
