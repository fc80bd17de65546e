/** A process that takes every work and ends none, in place of the one that works for a server. */
process.on('message', () => undefined);
process.on('disconnect', () => process.exit(0));
setInterval(() => undefined, 60_000);
