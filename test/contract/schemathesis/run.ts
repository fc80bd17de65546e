/** Runs schemathesis, a public API tester, on the document of a fresh development instance. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '../../../src/http/server.ts';
import { openApp } from '../../support/app.ts';
import { ROOT } from '../../support/sources.ts';

/** The folder in which scripts/test --all installs the pinned versions of requirements.txt. */
const SCHEMATHESIS = join(ROOT, '.tools/schemathesis/bin/schemathesis');
export const isInstalled = existsSync(SCHEMATHESIS);

const CONFIG = join(ROOT, 'test/contract/schemathesis/schemathesis.toml');
const STOP_GRACE_MS = 1000;

export interface Finding {
  readonly exitCode: number;
  readonly output: string;
}

/** Runs it once as one of the fixed users, with further command options. */
export async function runSchemathesis(user: 'demo' | 'admin', options: readonly string[]): Promise<Finding> {
  const server = await openApp({ demo: true });
  const listening = listen({ host: '127.0.0.1', port: 0, fetch: server.app.fetch });
  const folder = mkdtempSync(join(tmpdir(), 'catp-schemathesis-'));
  try {
    const { headers } = await server.anybody.call('POST', '/portal/api/autenticar/chave-acesso', undefined, {
      'client-id': user,
      'client-secret': user,
      'role-type': 'IMPEXP',
    });
    const child = Bun.spawn(
      [SCHEMATHESIS, '--config-file', CONFIG, 'run', `${listening.url}/openapi.json`, ...options],
      {
        // Its output files stay out of the repository.
        cwd: folder,
        env: {
          PATH: process.env['PATH'] ?? '',
          HOME: folder,
          NO_COLOR: '1',
          CATP_TOKEN: headers.get('set-token') ?? '',
          CATP_CSRF: headers.get('x-csrf-token') ?? '',
        },
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
      },
    );
    const [exitCode, out, errors] = await Promise.all([
      child.exited,
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { exitCode, output: out + errors };
  } finally {
    await listening.stop(STOP_GRACE_MS);
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
