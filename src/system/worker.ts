/**
 * Workers that end by themselves. One that is terminated from outside in the midst of the database's own code takes the
 * whole process with it; one that leaves between two tasks closes what it has open first.
 */
declare const self: Worker;

const LEAVE = 'leave';

/** The Worker's side: what it is sent, until it is told to leave. */
export function attend<Message>(receive: (message: Message) => void): void {
  self.onmessage = ({ data }: MessageEvent<Message | typeof LEAVE>) => {
    if (data === LEAVE)
      process.exit(0); // of a Worker: itself alone
    else receive(data);
  };
}

/** Has a Worker leave once it is done with what it is at. Resolves when it has left, and has let go of its files. */
export async function dismiss(worker: Worker): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  worker.addEventListener('close', () => resolve());
  worker.postMessage(LEAVE);
  await promise;
}
