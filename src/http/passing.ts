/** Passes a stream through without delay and without keeping it. An observer sees each piece and the end. */

export interface Bystander {
  readonly chunk?: (bytes: Uint8Array) => void;
  /** Called once: when the stream was read to its end, failed, or was cancelled by its reader. */
  readonly over?: () => void;
  /** Aborts the stream with an error, so that no reader takes a part for the whole. */
  readonly cut?: AbortSignal;
}

export function passing(
  content: ReadableStream<Uint8Array>,
  { chunk, over, cut }: Bystander,
): ReadableStream<Uint8Array> {
  const reader = content.getReader();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // Watched at once: without a reader, a failure would stay unnoticed.
        reader.closed.then(over, (error: unknown) => {
          over?.();
          controller.error(error);
        });
        const cutOff = (): void => {
          controller.error(cut?.reason);
          void reader.cancel(cut?.reason);
        };
        if (cut?.aborted === true) cutOff();
        else cut?.addEventListener('abort', cutOff, { once: true });
      },
      async pull(controller) {
        const { done, value } = await reader.read();
        if (cut?.aborted === true) return;
        if (done) {
          controller.close();
          return;
        }
        chunk?.(value);
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
