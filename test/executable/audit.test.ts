/** `catp audit` as an operator meets it (contract section 16). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { Database } from 'bun:sqlite';
import { copyFileSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refusalOf, said } from './outcome.ts';
import { type Alone, ask, openAlone, tokensOf } from './support.ts';

const COMPANY = '12345678';
const DATA = ['--data', 'dados'] as const;

let alone: Alone;
beforeEach(async () => {
  alone = await openAlone();
  alone.init('dados');
  said(alone.run(['company', 'add', COMPANY, '--nome', '=cmd', ...DATA]));
});
afterEach(() => alone.close());

const place = (...names: string[]): string => join(alone.folder, ...names);
const run = (...words: string[]): string => said(alone.run([...words, ...DATA]));

interface Entry {
  readonly seq: number;
  readonly actor: string;
  readonly channel: string;
  readonly action: string;
  readonly subject: string;
  readonly after: string | null;
}

const exported = (...words: string[]): Entry[] =>
  said(alone.run(['audit', 'export', ...(words.length > 0 ? words : DATA)]))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);

const told = (entries: readonly Entry[]) =>
  entries.map(({ actor, channel, action, subject }) => [actor, channel, action, subject]);

/** What a stranger with the database file in an editor does. */
function edit(sql: string, folder = 'dados'): void {
  const db = new Database(place(folder, 'catp.sqlite'));
  db.run(sql);
  db.close();
}

describe('catp audit export', () => {
  test('writes a line of JSON for each change, the oldest first; of the command line too', () => {
    const items = [{ seq: 1, cpfCnpjRaiz: COMPANY, denominacao: 'X', modalidade: 'AMBOS', ncm: '39269090' }];
    writeFileSync(place('itens.json'), JSON.stringify(items));
    alone.run(['import', 'produto', 'itens.json', ...DATA]);
    const local = 'linha de comando';
    expect(told(exported())).toEqual([
      [local, 'cli', 'INCLUSAO', `empresa ${COMPANY}`],
      [local, 'import', 'INCLUSAO', `produto ${COMPANY}/1`],
    ]);
    expect(exported('--since', '2999-01-01', ...DATA)).toEqual([]);
    expect(exported('--since', '2020-01-01T00:00:00Z', ...DATA)).toHaveLength(2);
  });

  test('writes CSV, too', () => {
    const [head = '', line = ''] = run('audit', 'export', '--csv').replace('\uFEFF', '').split('\r\n');
    expect(head).toBe('seq;at;actor;channel;action;subject;before;after');
    expect(line).toMatch(/^1;\d{4}-.*;linha de comando;cli;INCLUSAO;empresa 12345678;;$/);
  });

  test('reads the settings that every command reads, and so does verify', () => {
    const SETTINGS = ['--config', 'dados/catp.toml', '--set', 'log.nivel=warning'];
    for (const words of [
      ['audit', 'export', ...SETTINGS],
      ['audit', 'verify', ...SETTINGS],
    ])
      said(alone.run([...words, ...DATA]));
  });

  test('refuses a moment that is none', () => {
    expect(refusalOf(alone, ['audit', 'export', '--since', 'ontem', ...DATA], 2)).toContain(
      '--since: recebido "ontem"',
    );
  });
});

describe('catp audit verify', () => {
  test('ends with 0 while nobody else has written, also beside a server that was killed', async () => {
    expect(run('audit', 'verify')).toContain('está inteira: 1 entradas');
    const catp = await alone.start('serve', '--port', '0', ...DATA);
    said(alone.run(['user', 'add', '00000000191', '--nome', 'Maria', ...DATA]));
    await catp.kill9();
    expect(run('audit', 'verify')).toContain('está inteira: 2 entradas');
    expect(alone.run(['doctor', ...DATA]).stdout).toContain(
      'audit: A trilha de auditoria está inteira: 2 entradas.',
    );
  });

  test('ends with 1 and names the place where an entry is missing or changed; so does the doctor', () => {
    said(alone.run(['company', 'add', '87654321', '--nome', 'Y', ...DATA]));
    edit('DELETE FROM audit_page WHERE first_seq = 2');
    expect(refusalOf(alone, ['audit', 'verify', ...DATA])).toContain('Falta a entrada 2');
    const { code, stdout } = alone.run(['doctor', ...DATA]);
    expect([code, stdout]).toEqual([2, expect.stringMatching(/ERRO {4}audit: .*Falta a entrada 2/)]);
    edit("UPDATE audit_page SET entries = replace(entries, 'empresa', 'usuario')");
    expect(refusalOf(alone, ['audit', 'verify', ...DATA])).toContain('A entrada 1,');
  });

  test('says so of an instance where nothing has changed yet', () => {
    alone.init('nova');
    expect(said(alone.run(['audit', 'verify', '--data', 'nova']))).toContain('ainda não tem entradas');
  });
});

describe('after a restore', () => {
  test('the chain goes on with the restore, whose keys come with the backup or later', () => {
    run('backup', '--to', 'copias');
    const [file = ''] = readdirSync(place('copias'));
    said(alone.run(['restore', join('copias', file), '--to', 'novos']));
    copyFileSync(place('dados', 'catp.key'), place('novos', 'catp.key'));
    const there = ['--data', 'novos'];
    expect(told(exported(...there)).at(-1)).toEqual([
      ...['linha de comando', 'cli', 'RESTAURACAO', `backup ${file}`],
    ]);
    expect(said(alone.run(['audit', 'verify', ...there]))).toContain('está inteira');
    said(alone.run(['company', 'add', '87654321', '--nome', 'Y', ...there]));
    expect(exported(...there).filter(({ action }) => action === 'RESTAURACAO')).toHaveLength(1);
  });

  test('without the old keys new ones seal it, and that is told', () => {
    run('backup', '--to', 'copias');
    const [file = ''] = readdirSync(place('copias'));
    said(alone.run(['restore', join('copias', file), '--to', 'novos']));
    said(alone.run(['init', '--new-keys', '--data', 'novos']));
    expect(told(exported('--data', 'novos')).slice(-2)).toEqual([
      ['linha de comando', 'cli', 'RESTAURACAO', `backup ${file}`],
      ['linha de comando', 'cli', 'SUBSTITUICAO', 'chave catp.key'],
    ]);
    expect(said(alone.run(['audit', 'verify', '--data', 'novos']))).toContain('está inteira');
  });
});

test('with the keys of another folder nothing of this one is looked at', () => {
  alone.init('outra');
  rmSync(place('dados', 'catp.key'));
  writeFileSync(place('dados', 'catp.key'), readFileSync(place('outra', 'catp.key')), { mode: 0o600 });
  expect(refusalOf(alone, ['audit', 'verify', ...DATA])).toContain('é de outra instância');
});

test('of the first administrator and its key the audit tells, and never the secret', async () => {
  const words = ['init', '--data', 'inicio', '--admin', '00000000191', '--admin-nome', 'Maria'];
  const key = said(alone.run(words));
  const [, id = '', secret = ''] = /Client-Id: (\S+)\nClient-Secret: (\S+)/.exec(key) ?? [];
  expect(told(exported('--data', 'inicio')).map(([, , , subject]) => subject)).toEqual([
    'usuario 00000000191',
    `chave ${id}`,
  ]);
  const catp = await alone.start('serve', '--port', '0', '--data', 'inicio');
  const reply = await ask(catp.url, '/appliance/api/audit', await tokensOf(catp.url, id, secret));
  const text = await reply.text();
  expect([reply.status, text.includes(secret)]).toEqual([200, false]);
  expect(JSON.parse(text)).toMatchObject({ items: [{ seq: 2, channel: 'cli' }, { seq: 1 }], next: null });
});
