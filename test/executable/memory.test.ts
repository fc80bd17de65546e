/** What long lists and exports add to the memory of the process, measured of the executable alone. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, rmSync } from 'node:fs';
import { MADE_BY_DEV } from '../../src/cli/dev.ts';
import { FolderMarks } from '../../src/db/folder-mark.ts';
import { fillProducts } from '../catalogue/listing/fill.ts';
import { openApp } from '../support/app.ts';
import { type RunningCatp, startCatp } from '../support/executable.ts';

const PRODUCTS = 200_000;
const MIB = 1024 * 1024;
const ADDED_MAX_BYTES = 150 * MIB;
const SLOW_MS = 60_000;
const isLinux = process.platform === 'linux';
if (!isLinux) console.warn('SKIPPED: the memory of a process is read from /proc');

/** The resident memory of a process, in bytes. */
function residentBytes(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}

describe.skipIf(!isLinux)(`with ${PRODUCTS} products`, () => {
  let folder: string;
  let catp: RunningCatp;
  let headers: Record<string, string>;

  beforeAll(async () => {
    const filled = await openApp({ parts: { open: { synchronous: 'NORMAL' } } });
    folder = filled.folder;
    const { db, writer } = filled.app.core;
    fillProducts(db, PRODUCTS);
    await writer.write(() => new FolderMarks(db).put(MADE_BY_DEV, 'true'));
    await filled.close({ keepFolder: true });
    catp = await startCatp(['dev', '--port', '0', '--data', folder], { cwd: folder });
    const signedIn = await fetch(`${catp.url}/portal/api/autenticar/chave-acesso`, {
      method: 'POST',
      headers: { 'client-id': 'demo', 'client-secret': 'demo', 'role-type': 'IMPEXP' },
    });
    headers = {
      authorization: signedIn.headers.get('set-token') ?? '',
      'x-csrf-token': signedIn.headers.get('x-csrf-token') ?? '',
    };
  }, SLOW_MS);

  afterAll(async () => {
    await catp.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const LIST = '/catp/api/ext/produto?cpfCnpjRaiz=12345678';

  test(
    'lists and exports, one after another, add less than 150 MiB',
    async () => {
      const before = residentBytes(catp.process.pid);
      let peak = before;
      for (const path of [
        LIST,
        `${LIST}&dataReferencia=2026-01-15`,
        `${LIST}&ultimaAlteracaoInicio=2026-01-15`,
        '/catp/api/ext/produto/exportar/12345678/true',
      ]) {
        const answer = await fetch(`${catp.url}${path}`, { headers });
        expect(answer.status).toBe(200);
        let chunks = 0;
        for await (const _ of answer.body ?? []) {
          chunks += 1;
          if (chunks % 16 === 0) peak = Math.max(peak, residentBytes(catp.process.pid));
        }
      }
      expect(peak - before).toBeLessThan(ADDED_MAX_BYTES);
      // Something was measured at all.
      expect(peak).toBeGreaterThan(before);
    },
    SLOW_MS,
  );
});
