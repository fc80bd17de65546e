/**
 * The undo of an import by the executable, across a crash: it resumes, and undoes each row once (contract
 * section 24).
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { openForReading } from '../../src/db/open.ts';
import { type Sandbox, openSandbox, tokensOf } from './support.ts';

const COMPANY = '12345678';
const ITEMS = 8000;
/** Number of existing products: every second row changes one, the others create one. */
const EXISTING = ITEMS / 2;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const start = () => sandbox.start('dev', '--port', '0', '--data', 'dados');

async function client(url: string) {
  const tokens = (await tokensOf(url, 'demo', 'demo')) as Readonly<Record<string, string>>;
  // oxlint-disable-next-line typescript/no-explicit-any -- each test asserts the shape
  const call = async (method: string, path: string, body?: BodyInit): Promise<any> =>
    (
      await fetch(`${url}/appliance/api/imports${path}`, {
        method,
        headers: typeof body === 'string' ? { ...tokens, 'Content-Type': 'application/json' } : tokens,
        ...(body && { body }),
      })
    ).json();
  /** Polls the import until the condition is met. */
  const until = async (id: number, isMet: (job: { state: string; processed: number }) => boolean) => {
    for (;;) {
      const job = await call('GET', `/${id}`);
      expect(job).toMatchObject({ id });
      if (isMet(job)) return job;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  };
  const hasEnded = ({ state }: { state: string }): boolean => state !== 'queued' && state !== 'running';
  const importItems = async (items: readonly object[]) => {
    const form = new FormData();
    form.set('file', new File([JSON.stringify(items)], 'itens.json'));
    form.set('tipo', 'produto');
    return until((await call('POST', '', form)).id, hasEnded);
  };
  return { call, until, isOver: hasEnded, importItems };
}

function versions(): readonly {
  situacao: string;
  descricao: string | null;
  versions: number;
  count: number;
}[] {
  const db = openForReading(join(sandbox.folder, 'dados', 'catp.sqlite'));
  try {
    return db
      .prepare<[], { situacao: string; descricao: string | null; versions: number; count: number }>(
        `SELECT situacao, descricao, (SELECT count(*) FROM product_version WHERE record_id = product.id) + 1 AS versions,
           count(*) AS count FROM product WHERE denominacao LIKE 'Desfeito %' GROUP BY 1, 2, 3 ORDER BY 1`,
      )
      .all();
  } finally {
    db.close();
  }
}

test('an undo that a crash interrupts continues, and undoes each row once', async () => {
  const item = (seq: number, members: object) => ({
    seq,
    cpfCnpjRaiz: COMPANY,
    denominacao: `Desfeito ${seq}`,
    modalidade: 'IMPORTACAO',
    ncm: '39269090',
    ...members,
  });
  const first = await start();
  const before = await client(first.url);
  const existingItems = Array.from({ length: EXISTING }, (_, index) =>
    item(index + 1, { descricao: 'Antes' }),
  );
  const { id: importId } = await before.importItems(existingItems);
  const codes = (await before.call('GET', `/${importId}/results`)) as { codigo: string }[];
  const changedItems = codes.map(({ codigo }, index) => item(index + 1, { codigo, descricao: 'Depois' }));
  const newItems = Array.from({ length: EXISTING }, (_, index) =>
    item(EXISTING + index + 1, { descricao: 'Nova' }),
  );
  const job = await before.importItems([...changedItems, ...newItems]);
  expect(job).toMatchObject({ state: 'done', newVersion: EXISTING, created: EXISTING, failed: 0 });

  const { id } = await before.call('POST', `/${job.id}/undo`, JSON.stringify({ expected: EXISTING }));
  const { processed } = await before.until(id, (undo) => undo.processed > 0);
  await first.kill9();
  expect(processed).toBeLessThan(ITEMS);

  const after = await client((await start()).url);
  expect(await after.until(id, after.isOver)).toMatchObject({
    state: 'done',
    undoes: job.id,
    total: ITEMS,
    processed: ITEMS,
    newVersion: EXISTING,
    deactivated: EXISTING,
    failed: 0,
  });
  expect(versions()).toEqual([
    { situacao: 'ATIVADO', descricao: 'Antes', versions: 3, count: EXISTING },
    { situacao: 'DESATIVADO', descricao: 'Nova', versions: 1, count: EXISTING },
  ]);

  const refusal = await after.importItems([item(1, { ncm: '1' }), item(2, { ncm: '2' })]);
  expect(await after.call('GET', `/${refusal.id}/reasons`)).toMatchObject([
    { member: 'ncm', heading: 'NCM', count: 2 },
  ]);
});
