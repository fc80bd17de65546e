/**
 * The load of `getProduct` over HTTPS with requested client certificates, compared with the same bare server
 * with Bun's own TLS; with 64 and with 200 connections.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SystemClock } from '../../../src/clock.ts';
import { createAuthority, serverPeriod } from '../../../src/authority/authority.ts';
import { dataFolder } from '../data.ts';
import { compareRequests } from '../duel.ts';
import { type Bench, type Figure, type Measurement, measured } from '../figure.ts';
import { freePort, startBaseline, startCatp } from '../programs.ts';
import { readsAmongWrites } from '../traffic.ts';

const REACH = 0.4;
const CONNECTIONS = 64;
const MANY_CONNECTIONS = 200;

export const getProductTls: Figure = {
  name: 'getProductTls',
  about: 'a carga de getProduct por HTTPS; também com 200 conexões ao mesmo tempo',
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  const data = await dataFolder(bench, 'hundredThousand');
  // The load writes to it: the kept catalogue does not change.
  const copy = join(bench.scratch, 'get-product-tls');
  cpSync(data.folder, copy, { recursive: true });
  const folder = join(bench.scratch, 'select-tls');
  mkdirSync(folder);
  const files = await certificateFiles(folder);
  const env = { TLS_CERT: files.cert, TLS_KEY: files.key };
  const bare = await startBaseline('select', [folder, join(copy, 'catp.sqlite')], env);
  try {
    const port = String(freePort());
    const flags = ['--tls-port', port, '--tls-cert', files.cert, '--tls-key', files.key];
    const catp = await startCatp(copy, [...flags, '--tls-client-ca', files.ca]);
    try {
      const headers = { ...(await catp.signIn('demo')), 'Content-Type': 'application/json' };
      const load = { headers, requests: readsAmongWrites(data.products) };
      const compared = (connections: number): Promise<Measurement> => {
        const of = (url: string) => ({ url, ...load, connections });
        const ours = { name: `catp, ${connections} conexões`, pid: catp.pid };
        const theirs = { name: `texto por chave, ${connections}`, pid: bare.pid };
        const sides = [
          { ...ours, plan: of(`https://127.0.0.1:${port}`) },
          { ...theirs, plan: of(bare.url) },
        ] as const;
        return compareRequests(bench, sides, REACH);
      };
      const few = await compared(CONNECTIONS);
      const many = await compared(MANY_CONNECTIONS);
      const { value, limit, ok } = many;
      return measured(few, [...few.rows, ...many.rows], { further: { many: { value, limit, ok } } });
    } finally {
      await catp.stop();
    }
  } finally {
    await bare.stop();
    for (const used of [copy, folder]) rmSync(used, { recursive: true });
  }
}

async function certificateFiles(
  folder: string,
): Promise<{ readonly cert: string; readonly key: string; readonly ca: string }> {
  const now = new SystemClock().now();
  const authority = await createAuthority(now);
  const pair = await authority.issue(['127.0.0.1'], serverPeriod(now));
  const written = (name: string, pem: string): string => {
    writeFileSync(join(folder, name), pem);
    return join(folder, name);
  };
  return {
    cert: written('cert.pem', pair.cert),
    key: written('key.pem', pair.key),
    ca: written('ca.pem', authority.pem),
  };
}
