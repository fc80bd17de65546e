/** A process that accepts every job and finishes none, in place of the server's worker process. */
process.on('message', () => undefined);
process.on('disconnect', () => process.exit(0));
setInterval(() => undefined, 60_000);
