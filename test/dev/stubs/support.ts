/** A folder of stub files for neighbouring services, and a server that uses it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Client, type OpenAppOptions, type TestApp, openApp } from '../../support/app.ts';

export interface StubServer {
  /** The folder of the stub files. */
  readonly files: string;
  readonly server: TestApp;
  readonly demo: Client;
  readonly put: (path: string, content: unknown) => void;
  readonly close: () => Promise<void>;
}

export async function openStubServer(options: OpenAppOptions = {}): Promise<StubServer> {
  const home = mkdtempSync(join(tmpdir(), 'catp-stubs-'));
  const files = join(home, 'vizinhos');
  mkdirSync(files);
  const server = await openApp({ ...options, parts: { ...options.parts, stubs: files } });
  return {
    files,
    server,
    demo: await server.as('demo'),
    put: (path, content) => {
      const file = join(files, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    },
    close: async () => {
      await server.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
