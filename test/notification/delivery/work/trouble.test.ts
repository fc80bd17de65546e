/** The worker retries a failed read of the storage, with no other event to wake it. */
import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import type { Logger } from '../../../../src/log/log.ts';
import { openReceiver } from '../../../support/receiver.ts';
import { deliverTo } from './support.ts';

test('deliveries that could not be read are searched again', async () => {
  await using receiver = await openReceiver({ script: 'hang,200' });
  const before = await deliverTo({ 'erp.exemplo': receiver });
  const { folder } = before.server;
  await before.subscribe('https://erp.exemplo/a');
  await before.publish({ n: 1 });
  await receiver.next();
  await before.server.close({ keepFolder: true });

  const failure = Promise.withResolvers<string>();
  const silent = (): void => undefined;
  // The server calls these four of the log's methods.
  const log = {
    debug: silent,
    info: silent,
    warning: silent,
    error: failure.resolve,
    isEnabledFor: () => false,
  } as unknown as Logger;
  await using after = await deliverTo({ 'erp.exemplo': receiver }, { app: { folder, parts: { log } } });
  // The worker reads in the next turn of the event loop, and later only when it is woken.
  const { db } = after.server.app.core;
  db.exec('ALTER TABLE delivery RENAME TO unreadable');
  expect(await failure.promise).toContain('nova tentativa em instantes');
  db.exec('ALTER TABLE unreadable RENAME TO delivery');
  expect((await receiver.next()).body).toBe('{"n":1}');
  await after.quiet();
  rmSync(folder, { recursive: true, force: true });
});
