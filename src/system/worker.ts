/**
 * Workers that exit on their own. Terminating a worker inside database code ends the whole process; a worker
 * that exits between two tasks closes its resources first.
 */
declare const self: Worker;

const LEAVE = 'leave';

/** Receives the messages of a Worker until it is dismissed. */
export function onMessage<Message>(receive: (message: Message) => void): void {
  self.onmessage = ({ data }: MessageEvent<Message | typeof LEAVE>) => {
    if (data === LEAVE)
      process.exit(0); // in a Worker it closes only the Worker
    else receive(data);
  };
}

/** Asks a Worker to exit after its current task. Resolves when it has exited and released its files. */
export async function dismiss(worker: Worker): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  worker.addEventListener('close', () => resolve());
  worker.postMessage(LEAVE);
  await promise;
}
