/** A stream as it was, no slower and not kept: of which somebody sees what comes through, and learns when it is over. */

export interface Bystander {
  readonly chunk?: (bytes: Uint8Array) => void;
  /** Read to its end, failed, or left by its reader: once. */
  readonly over?: () => void;
  /** Breaks the stream off: nobody may take a part for the whole. */
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
        // At once: where nobody takes anything, nobody would ask for what failed.
        reader.closed.then(over, (error: unknown) => {
          over?.();
          controller.error(error);
        });
        const cutOff = (): void => {
          controller.error(cut?.reason);
          void reader.cancel(cut?.reason);
        };
        cut?.addEventListener('abort', cutOff, { once: true });
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
