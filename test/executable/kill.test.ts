/**
 * Every acknowledged write survives kill -9 (issue: lose nothing). `scripts/crash` does the same for
 * longer.
 */
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openInboxServer } from '../../scripts/proof/crash/inbox.ts';
import { Lifecycle } from '../../scripts/proof/crash/lifecycle.ts';
import { randomOf } from '../../scripts/proof/random.ts';
import { SLOWNESS } from '../../scripts/proof/slowness.ts';
import { builtExecutable } from '../support/executable.ts';

const ROUNDS = 3;
/** Chooses moments and contents. The acknowledged writes at a moment still differ from run to run. */
const SEED = 20260115;
const LONGEST_MS = 300_000 * SLOWNESS;

test(
  'kill -9 during writes, imports, activations and deliveries loses no acknowledged write',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'catp-kill-'));
    const inboxServer = await openInboxServer(join(folder, 'ca.pem'));
    try {
      const lifecycle = new Lifecycle({
        folder,
        executable: await builtExecutable(),
        random: randomOf(SEED),
        inboxServer,
        onRound: () => undefined,
      });
      const { ledger, inbox, kills } = await lifecycle.run(ROUNDS);
      expect(ledger.problems).toEqual([]);
      expect(inbox.missing).toEqual([]);
      expect(kills).toBe(ROUNDS + 1);
      // The test proves nothing without acknowledged writes.
      expect(ledger.size).toBeGreaterThan(ROUNDS);
      expect(inbox.expected).toBeGreaterThan(0);
    } finally {
      await inboxServer.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  LONGEST_MS,
);
