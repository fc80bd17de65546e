/**
 * `catp import --resume` after kill -9 and Ctrl+C at random moments: every item once (contract section 7).
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomOf } from '../../scripts/proof/random.ts';
import { openForReading } from '../../src/db/open.ts';
import { type Sandbox, openSandbox } from './support.ts';

const COMPANY = '12345678';
const ITEMS = 12_000;
/** Number of refused items: every seventh. */
const REFUSED = Math.floor(ITEMS / 7);
/** Chooses the moments. The progress at a moment still differs from run to run. */
const random = randomOf(20260115);
/** Growth of the maximum lifetime in each round, because machines differ in speed. */
const LIFE_MS = 200;

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
  sandbox.init('dados');
  expect(sandbox.run(['company', 'add', COMPANY, '--nome', 'Empresa', '--data', 'dados']).code).toBe(0);
  const items = Array.from({ length: ITEMS }, (_, index) => ({
    seq: index + 1,
    cpfCnpjRaiz: COMPANY,
    denominacao: `Item ${index + 1}`,
    modalidade: 'IMPORTACAO',
    ncm: (index + 1) % 7 === 0 ? '1' : '39269090',
  }));
  writeFileSync(join(sandbox.folder, 'itens.json'), JSON.stringify(items));
});
afterEach(() => sandbox.close());

const IMPORT = ['import', 'produto', 'itens.json', '--resume', '--data', 'dados'];

/** Interrupts the command after a time that grows with each round. Returns its output. */
async function cutOff(round: number): Promise<string> {
  const child = Bun.spawn([sandbox.executable, ...IMPORT], {
    cwd: sandbox.folder,
    env: {},
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const stderr = new Response(child.stderr).text();
  await Promise.race([child.exited, Bun.sleep(random.integer(0, round * LIFE_MS))]);
  child.kill(round % 3 === 0 ? 'SIGINT' : 'SIGKILL');
  await child.exited;
  return stderr;
}

function names(): readonly string[] {
  const db = openForReading(join(sandbox.folder, 'dados', 'catp.sqlite'));
  try {
    return db.prepare<[], string>('SELECT denominacao FROM product ORDER BY id').pluck().all();
  } finally {
    db.close();
  }
}

test('an interrupted import continues after its last item, and a complete one does nothing more', async () => {
  let resumed = 0;
  for (let round = 1; round <= 4 || resumed < 2; round += 1) {
    const before = names().length;
    const stderr = await cutOff(round);
    if (stderr.includes('Retomada depois de')) resumed += 1;
    if (names().length < before) throw new Error(stderr);
    if (stderr.includes('Interrompida')) expect(stderr).toContain('--resume continua de onde parou');
  }
  const last = sandbox.run(IMPORT);
  expect(last.code).toBe(1); // one of the commands refused some items
  const counts = `${ITEMS.toLocaleString('pt-BR')} itens em`;
  const refusedText = `${REFUSED.toLocaleString('pt-BR')} com erro`;
  for (const text of [counts, refusedText]) expect(last.stderr).toContain(text);

  const all = names();
  expect(all).toHaveLength(ITEMS - REFUSED);
  expect(new Set(all).size).toBe(ITEMS - REFUSED);
  const repeated = sandbox.run(IMPORT);
  expect([repeated.code, names().length]).toEqual([1, ITEMS - REFUSED]);
  expect(repeated.stderr).toContain(`Retomada depois de ${ITEMS.toLocaleString('pt-BR')} de`);
});
