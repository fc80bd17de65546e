/**
 * POST of one product, compared with a bare server that inserts the same body as one row with the same
 * durability.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, Figure, Measurement } from '../figure.ts';
import { compareRequests } from '../duel.ts';
import { startBaseline, startCatp } from '../programs.ts';
import { checkedProduct } from '../products.ts';
import { putTableInForce } from '../table-file.ts';

const REACH = 0.36;
const CONNECTIONS = 64;
const BODIES = 500;

export const postProduct: Figure = {
  name: 'postProduct',
  about: 'inclusão de um produto com 20 atributos conferidos, versão, evento e fsync',
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  const catp = await startCatp(join(bench.scratch, 'post-product'));
  const folder = join(bench.scratch, 'insert');
  mkdirSync(folder);
  const bare = await startBaseline('insert', [folder]);
  try {
    await putTableInForce(catp, { full: !bench.quick });
    const path = '/catp/api/ext/produto/12345678';
    const requests = Array.from({ length: BODIES }, (_, index) => ({
      method: 'POST' as const,
      path,
      body: JSON.stringify(checkedProduct(index)),
    }));
    const headers = { ...(await catp.signIn('demo')), 'Content-Type': 'application/json' };
    const load = { headers, requests, connections: CONNECTIONS };
    const ours = { name: 'catp', pid: catp.pid, plan: { url: catp.url, ...load } };
    const theirs = { name: 'linha de texto', pid: bare.pid, plan: { url: bare.url, ...load } };
    return await compareRequests(bench, [ours, theirs], REACH);
  } finally {
    await Promise.all([catp.stop(), bare.stop()]);
  }
}
