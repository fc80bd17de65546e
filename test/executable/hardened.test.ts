/** A hardened server: only the data folder is writable, and nothing in the temporary folder is executable. */
import { expect, test } from 'bun:test';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { signIn } from '../../scripts/proof/client.ts';
import { startServer } from '../../scripts/proof/server.ts';
import { builtExecutable } from '../support/executable.ts';

/** Script that runs a command in its own mount namespace; only the folder `$1` stays writable. */
const HARDEN =
  'mount -t tmpfs -o ro,noexec tmpfs /tmp && mount --bind "$1" "$1" && mount -o remount,bind,ro / && shift && exec "$@"';
const canHarden =
  process.platform === 'linux' &&
  Bun.spawnSync(['unshare', '-m', 'sh', '-c', HARDEN, 'sh', '/var/tmp', 'true']).exitCode === 0;
if (!canHarden)
  console.warn('SKIPPED: no mounts of its own here; the executable is NOT tried on a hardened system');

test.skipIf(!canHarden)(
  'the executable and its workers write nothing outside the data folder and execute nothing in the temporary folder',
  async () => {
    const folder = mkdtempSync('/var/tmp/catp-hardened-');
    try {
      const executable = join(folder, 'catp'); // the build folder may be hidden
      copyFileSync(await builtExecutable(), executable);
      const prefix = ['unshare', '-m', 'sh', '-c', HARDEN, 'sh', folder];
      const server = startServer({ executable, data: join(folder, 'data'), prefix });
      try {
        const client = await signIn(await server.ready, 'demo');
        const content = { denominacao: 'Peça', modalidade: 'IMPORTACAO', ncm: '39269090' };
        const reply = await client.call('POST', '/catp/api/ext/produto/12345678', content);
        // Exports are read in a Worker.
        const exportAnswer = await client.call('GET', '/catp/api/ext/produto/exportar/12345678/false');
        expect([reply?.status, exportAnswer?.status]).toEqual([200, 200]);
        const mounts = await Bun.file(`/proc/${server.pid}/mounts`).text();
        expect([/ \/tmp tmpfs ro\S*noexec/.test(mounts), /^\S+ \/ \S+ ro[, ]/m.test(mounts)]).toEqual([
          true,
          true,
        ]);
      } finally {
        await server.stop();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
