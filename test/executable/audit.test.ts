/** `catp audit` for an operator (contract section 16). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { Database } from 'bun:sqlite';
import { copyFileSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { refusalOf, outputOf } from './outcome.ts';
import { type Sandbox, ask, openSandbox, tokensOf } from './support.ts';

const COMPANY = '12345678';
const DATA = ['--data', 'dados'] as const;

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
  sandbox.init('dados');
  outputOf(sandbox.run(['company', 'add', COMPANY, '--nome', '=cmd', ...DATA]));
});
afterEach(() => sandbox.close());

const place = (...names: string[]): string => join(sandbox.folder, ...names);
const run = (...words: string[]): string => outputOf(sandbox.run([...words, ...DATA]));

interface Entry {
  readonly seq: number;
  readonly actor: string;
  readonly channel: string;
  readonly action: string;
  readonly subject: string;
  readonly after: string | null;
}

const exportEntries = (...words: string[]): Entry[] =>
  outputOf(sandbox.run(['audit', 'export', ...(words.length > 0 ? words : DATA)]))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);

const changesIn = (entries: readonly Entry[]) =>
  entries.map(({ actor, channel, action, subject }) => [actor, channel, action, subject]);

/** Changes the database directly, as a person with an SQLite editor does. */
function edit(sql: string, folder = 'dados'): void {
  const db = new Database(place(folder, 'catp.sqlite'));
  db.run(sql);
  db.close();
}

const sealOfEnd = (): Uint8Array => {
  const db = new Database(place('dados', 'catp.sqlite'));
  const [[seal] = []] = db.query('SELECT seal FROM audit_page ORDER BY first_seq DESC LIMIT 1').values();
  db.close();
  return seal as Uint8Array;
};

/** Truncates the trail after `seq` and restores the seal of that time. */
function cutTo(seq: number, seal: Uint8Array): void {
  const db = new Database(place('dados', 'catp.sqlite'));
  db.run('DELETE FROM audit_page WHERE first_seq > ?', [seq]);
  db.run('UPDATE audit_page SET seal = ? WHERE last_seq = ?', [seal, seq]);
  db.close();
}

/** Manifest of a version that did not record the end of the trail. */
const OLD_MANIFEST = {
  createdAt: '2026-01-15T09:00:00.000-03:00',
  version: '0.9.0',
  schema: 4,
  counts: {
    products: 0,
    productVersions: 0,
    foreignOperators: 0,
    manufacturerLinks: 0,
    subscriptions: 0,
    users: 0,
  },
  sha256: { 'catp.sqlite': '0'.repeat(64) },
};

describe('catp audit export', () => {
  test('writes one JSON line for each change, oldest first, with changes of the command line', () => {
    const items = [{ seq: 1, cpfCnpjRaiz: COMPANY, denominacao: 'X', modalidade: 'AMBOS', ncm: '39269090' }];
    writeFileSync(place('itens.json'), JSON.stringify(items));
    sandbox.run(['import', 'produto', 'itens.json', ...DATA]);
    const local = 'linha de comando';
    expect(changesIn(exportEntries())).toEqual([
      [local, 'cli', 'INCLUSAO', `empresa ${COMPANY}`],
      [local, 'import', 'INCLUSAO', `produto ${COMPANY}/1`],
    ]);
    expect(exportEntries('--since', '2999-01-01', ...DATA)).toEqual([]);
    expect(exportEntries('--since', '2020-01-01T00:00:00Z', ...DATA)).toHaveLength(2);
  });

  test('writes CSV', () => {
    const [head = '', line = ''] = run('audit', 'export', '--csv').replace('\uFEFF', '').split('\r\n');
    expect(head).toBe('seq;at;actor;key;channel;action;subject;before;after;proposedBy;proposal');
    expect(line).toMatch(
      /^1;\d{4}-.*;linha de comando;;cli;INCLUSAO;empresa 12345678;;"\{""cpfCnpjRaiz"":""12345678"",""nome"":""=cmd""\}";;$/,
    );
  });

  test('accepts the settings of every command, as verify does', () => {
    const SETTINGS = ['--config', 'dados/catp.toml', '--set', 'log.nivel=warning'];
    for (const words of [
      ['audit', 'export', ...SETTINGS],
      ['audit', 'verify', ...SETTINGS],
    ])
      outputOf(sandbox.run([...words, ...DATA]));
  });

  test('writes the changes of one approved proposal, and refuses an invalid proposal number', () => {
    expect(exportEntries('--proposal', '12', ...DATA)).toEqual([]);
    expect(refusalOf(sandbox, ['audit', 'export', '--proposal', '0', ...DATA], 2)).toContain(
      '--proposal: recebido "0"; aceita o número de uma proposta',
    );
  });

  test('refuses an invalid moment', () => {
    expect(refusalOf(sandbox, ['audit', 'export', '--since', 'ontem', ...DATA], 2)).toContain(
      '--since: recebido "ontem"',
    );
  });
});

describe('catp audit verify', () => {
  test('ends with 0 when only catp wrote to the trail, also after a kill of the server', async () => {
    expect(run('audit', 'verify')).toContain('está íntegra: 1 entrada,');
    const catp = await sandbox.start('serve', '--port', '0', ...DATA);
    outputOf(sandbox.run(['user', 'add', '00000000191', '--nome', 'Maria', ...DATA]));
    await catp.kill9();
    expect(run('audit', 'verify')).toContain('está íntegra: 2 entradas');
    expect(sandbox.run(['doctor', ...DATA]).stdout).toContain(
      'audit: A trilha de auditoria está íntegra: 2 entradas.',
    );
  });

  test('ends with 1 and names the missing or changed entry, as the doctor does', () => {
    outputOf(sandbox.run(['company', 'add', '87654321', '--nome', 'Y', ...DATA]));
    edit('DELETE FROM audit_page WHERE first_seq = 2');
    expect(refusalOf(sandbox, ['audit', 'verify', ...DATA])).toContain('Falta a entrada 2');
    const { code, stdout } = sandbox.run(['doctor', ...DATA]);
    expect([code, stdout]).toEqual([2, expect.stringMatching(/ERRO {4}audit: .*Falta a entrada 2/)]);
    edit("UPDATE audit_page SET entries = replace(entries, 'empresa', 'usuario')");
    expect(refusalOf(sandbox, ['audit', 'verify', ...DATA])).toContain('A entrada 1,');
  });

  test('detects a truncated trail with an earlier seal; serve starts and reports it, and later entries do not hide it', async () => {
    const seal = sealOfEnd();
    outputOf(sandbox.run(['company', 'add', '87654321', '--nome', 'Y', ...DATA]));
    cutTo(1, seal);
    const missingEntry = 'Falta a entrada 2, que catp.seal conhece.';
    expect(refusalOf(sandbox, ['audit', 'verify', ...DATA])).toContain(missingEntry);
    expect(sandbox.run(['doctor', ...DATA]).stdout).toContain(missingEntry);
    const catp = await sandbox.start('serve', '--port', '0', ...DATA);
    const { ready, notices } = (await (await fetch(`${catp.url}/readyz`)).json()) as {
      ready: boolean;
      notices: string[];
    };
    expect([ready, notices.join(' ')]).toEqual([true, expect.stringContaining(missingEntry)]);
    expect(await catp.stop()).toBe(0);
    expect(await catp.allStderr()).toContain(missingEntry);
    expect(changesIn(exportEntries()).at(-1)).toEqual(['sistema', 'system', 'FALHA', 'trilha 2']);
    expect(refusalOf(sandbox, ['audit', 'verify', ...DATA])).toContain(
      'Antes da entrada 2 a trilha foi alterada',
    );
  });

  test('the server reports a changed entry in its log, on /readyz and in the trail', async () => {
    outputOf(sandbox.run(['company', 'add', '87654321', '--nome', 'Y', ...DATA]));
    edit("UPDATE audit_page SET entries = replace(entries, '12345678', '12345679') WHERE first_seq = 1");
    const catp = await sandbox.start('serve', '--port', '0', ...DATA);
    const brokenTrail = 'A trilha de auditoria não está íntegra. A entrada 1,';
    // A Worker reads the trail after the server is ready.
    while (!(await (await fetch(`${catp.url}/readyz`)).text()).includes(brokenTrail));
    expect(await catp.stop()).toBe(0);
    expect(await catp.allStderr()).toContain(brokenTrail);
    expect(changesIn(exportEntries()).at(-1)).toEqual(['sistema', 'system', 'FALHA', 'trilha 1']);
  });

  test('detects that catp.seal was deleted', () => {
    rmSync(place('dados', 'catp.seal'));
    expect(refusalOf(sandbox, ['audit', 'verify', ...DATA])).toContain('Falta catp.seal');
  });

  test('compares the trail with the newest backup and with each --witness file, a backup or a manifest', () => {
    const seal = sealOfEnd();
    const sealed = readFileSync(place('dados', 'catp.seal'));
    run('backup', '--to', 'longe');
    run('backup');
    const [copyName = ''] = readdirSync(place('longe'));
    const { 'manifest.json': manifest } = unzipSync(readFileSync(place('longe', copyName)));
    writeFileSync(place('manifest.json'), manifest ?? '');
    const [backupName = ''] = readdirSync(place('dados', 'backups'));
    const witnesses = ['--witness', join('longe', copyName), 'manifest.json'];
    const report = outputOf(sandbox.run(['audit', 'verify', ...DATA, ...witnesses]));
    for (const name of [join('longe', copyName), 'manifest.json'])
      expect(report).toContain(`Confere com ${name}, feita na entrada 1.`);
    expect(report).toMatch(new RegExp(`Confere com .*${backupName}, feita na entrada 2\\.`));
    // The whole folder is in its earlier state, so only the external copy shows the missing entries.
    copyFileSync(place('dados', 'backups', backupName), place('outra.zip'));
    cutTo(1, seal);
    writeFileSync(place('dados', 'catp.seal'), sealed);
    expect(refusalOf(sandbox, ['audit', 'verify', ...DATA])).toContain(`${backupName} conhece`);
    rmSync(place('dados', 'backups'), { recursive: true });
    expect(run('audit', 'verify')).toContain('está íntegra: 1 entrada,');
    expect(refusalOf(sandbox, ['audit', 'verify', ...DATA, '--witness', 'outra.zip'])).toContain(
      'Falta a entrada 2, que outra.zip conhece.',
    );
  });

  test('refuses an unusable --witness, and reports that a broken newest backup was not compared', () => {
    writeFileSync(place('nada.txt'), 'x');
    for (const file of ['nada.txt', 'nenhum.zip', 'dados'])
      expect(refusalOf(sandbox, ['audit', 'verify', ...DATA, '--witness', file], 2)).toContain(
        `--witness: ${file} não serve`,
      );
    writeFileSync(place('velho.json'), JSON.stringify(OLD_MANIFEST));
    expect(refusalOf(sandbox, ['audit', 'verify', ...DATA, '--witness', 'velho.json'], 2)).toContain(
      'uma versão do catp que não dizia onde a trilha termina',
    );
    run('backup');
    const [backupName = ''] = readdirSync(place('dados', 'backups'));
    writeFileSync(place('dados', 'backups', 'catp-20300101T000000.zip'), 'x');
    expect(run('audit', 'verify')).toMatch(
      new RegExp(
        `A cópia catp-20300101T000000.zip não foi comparada: .*\\n.*está íntegra.*\\n.*\\nConfere com .*${backupName}`,
      ),
    );
    writeFileSync(place('dados', 'backups', backupName), 'x');
    expect(run('audit', 'verify')).toMatch(/A cópia .* não foi comparada: .*\n.*está íntegra/);
  });

  test('reports an instance without entries', () => {
    sandbox.init('nova');
    expect(outputOf(sandbox.run(['audit', 'verify', '--data', 'nova']))).toContain('ainda não tem entradas');
  });
});

describe('after a change of keys', () => {
  test('an intact trail stays intact, and verify reports the last entry that the old seal covers', () => {
    rmSync(place('dados', 'catp.key'));
    run('init', '--new-keys');
    expect(exportEntries().at(-1)).toMatchObject({ subject: 'chave catp.key', before: null, after: '1' });
    const text = run('audit', 'verify');
    expect(text).toContain('está íntegra: 2 entradas');
    expect(text).toMatch(
      /Na entrada 2, .* chaves novas .*: o selo anterior provava a trilha até a entrada 1\./,
    );
  });

  test('a truncated or unsealed trail stays broken, also after a second change of keys', () => {
    const seal = sealOfEnd();
    outputOf(sandbox.run(['company', 'add', '87654321', '--nome', 'Y', ...DATA]));
    cutTo(1, seal);
    for (const _ of 'ab') {
      rmSync(place('dados', 'catp.key'));
      run('init', '--new-keys');
      expect(refusalOf(sandbox, ['audit', 'verify', ...DATA])).toContain(
        'Antes da entrada 2 a trilha foi alterada',
      );
    }
    expect(exportEntries()[1]).toMatchObject({ subject: 'chave catp.key', after: '2' });
    sandbox.init('outra');
    outputOf(sandbox.run(['company', 'add', COMPANY, '--nome', 'X', '--data', 'outra']));
    for (const name of ['catp.key', 'catp.seal']) rmSync(place('outra', name));
    outputOf(sandbox.run(['init', '--new-keys', '--data', 'outra']));
    expect(refusalOf(sandbox, ['audit', 'verify', '--data', 'outra'])).toContain('Antes da entrada 2');
  });
});

describe('after a restore', () => {
  test('the trail continues with the entry of the restore, with the keys of the backup or with keys added later', () => {
    run('backup', '--to', 'copias');
    const [file = ''] = readdirSync(place('copias'));
    outputOf(sandbox.run(['restore', join('copias', file), '--to', 'novos']));
    copyFileSync(place('dados', 'catp.key'), place('novos', 'catp.key'));
    const inNewFolder = ['--data', 'novos'];
    expect(changesIn(exportEntries(...inNewFolder)).at(-1)).toEqual([
      ...['linha de comando', 'cli', 'RESTAURACAO', `backup ${file}`],
    ]);
    expect(outputOf(sandbox.run(['audit', 'verify', ...inNewFolder]))).toContain('está íntegra');
    outputOf(sandbox.run(['company', 'add', '87654321', '--nome', 'Y', ...inNewFolder]));
    expect(exportEntries(...inNewFolder).filter(({ action }) => action === 'RESTAURACAO')).toHaveLength(1);
  });

  test('the seal of the folder detects an earlier copy of the database', () => {
    run('backup', '--to', 'copias');
    const [file = ''] = readdirSync(place('copias'));
    run('company', 'add', '87654321', '--nome', 'Y');
    outputOf(sandbox.run(['restore', join('copias', file), '--to', 'novos']));
    for (const end of ['', '-wal', '-shm']) rmSync(place('dados', `catp.sqlite${end}`), { force: true });
    copyFileSync(place('novos', 'catp.sqlite'), place('dados', 'catp.sqlite'));
    for (let times = 0; times < 2; times += 1)
      expect(refusalOf(sandbox, ['audit', 'verify', ...DATA])).toMatch(/[Ff]alta/);
    // A new entry does not hide the fault. It requires a takeover, because the database is from another
    // folder.
    run('takeover');
    run('company', 'add', '11222333', '--nome', 'Z');
    expect(refusalOf(sandbox, ['audit', 'verify', ...DATA])).toMatch(/entrada/);
  });

  test('new keys seal the trail when the old keys are missing, and the trail records them', () => {
    run('backup', '--to', 'copias');
    const [file = ''] = readdirSync(place('copias'));
    outputOf(sandbox.run(['restore', join('copias', file), '--to', 'novos']));
    outputOf(sandbox.run(['init', '--new-keys', '--data', 'novos']));
    expect(changesIn(exportEntries('--data', 'novos')).slice(-2)).toEqual([
      ['linha de comando', 'cli', 'RESTAURACAO', `backup ${file}`],
      ['linha de comando', 'cli', 'SUBSTITUICAO', 'chave catp.key'],
    ]);
    expect(outputOf(sandbox.run(['audit', 'verify', '--data', 'novos']))).toContain('está íntegra');
  });
});

test('the command refuses the keys of another folder before it reads the trail', () => {
  sandbox.init('outra');
  rmSync(place('dados', 'catp.key'));
  writeFileSync(place('dados', 'catp.key'), readFileSync(place('outra', 'catp.key')), { mode: 0o600 });
  expect(refusalOf(sandbox, ['audit', 'verify', ...DATA])).toContain('é de outra instância');
});

test('the trail records the first administrator and its access key, never the secret', async () => {
  const words = ['init', '--data', 'inicio', '--admin', '00000000191', '--admin-nome', 'Maria'];
  const key = outputOf(sandbox.run(words));
  const [, id = '', secret = ''] = /Client-Id: (\S+)\nClient-Secret: (\S+)/.exec(key) ?? [];
  expect(changesIn(exportEntries('--data', 'inicio')).map(([, , , subject]) => subject)).toEqual([
    'usuario 00000000191',
    `chave ${id}/00000000191`,
  ]);
  const catp = await sandbox.start('serve', '--port', '0', '--data', 'inicio');
  const reply = await ask(catp.url, '/appliance/api/audit', await tokensOf(catp.url, id, secret));
  const text = await reply.text();
  expect([reply.status, text.includes(secret)]).toEqual([200, false]);
  expect(JSON.parse(text)).toMatchObject({ items: [{ seq: 2, channel: 'cli' }, { seq: 1 }], next: null });
});

test('control characters in texts of users are escaped in lists, log and trail', async () => {
  const nome = 'Nova\u202exe.asab';
  const escapedName = 'Nova\\u202exe.asab';
  const controlling = ['company', 'add', '33444555', '--nome', 'a\tb\u009b2J', ...DATA];
  expect(refusalOf(sandbox, controlling, 2)).toContain(
    'recebido "a\\tb\\u009b2J"; aceita um texto sem caracteres de controle',
  );
  run('company', 'add', '33444555', '--nome', nome);
  expect(run('company', 'list')).toContain(escapedName);
  const json = run('company', 'list', '--json');
  expect(json).toContain(escapedName);
  expect(JSON.parse(json)).toContainEqual({ cpfCnpjRaiz: '33444555', nome, cnpj: null });
  // Earlier versions could store such characters.
  edit(
    String.raw`UPDATE company SET nome = 'a' || char(10, 27, 155) || 'b' WHERE cpf_cnpj_raiz = '33444555'`,
  );
  expect(run('company', 'list')).toContain('a\\u000a\\u001b\\u009bb');
  run('backup', '--to', 'copias');
  const [file = ''] = readdirSync(place('copias'));
  copyFileSync(place('copias', file), place('copias', 'a\u009b\u202e\n.zip'));
  outputOf(sandbox.run(['restore', join('copias', 'a\u009b\u202e\n.zip'), '--to', 'novos']));
  copyFileSync(place('dados', 'catp.key'), place('novos', 'catp.key'));
  for (const form of [[], ['--csv']]) {
    const trail = outputOf(sandbox.run(['audit', 'export', ...form, '--data', 'novos']));
    expect(trail).toContain('backup a\\u009b\\u202e\\');
    expect(trail.replace(/^\ufeff/, '')).not.toMatch(/(?![\r\n])[\p{Cc}\p{Cf}]/u);
  }
});
