/** The tours of README and of the pages, pasted by a reader: one after another, on one instance. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { builtExecutable } from '../support/executable.ts';
import { ROOT } from '../support/sources.ts';
import { fences } from '../support/documents.ts';
import { type StartedProgram, Terminal, blockAfter, startProgram } from './terminal.ts';

const READY = /^catp: pronto em (http:\/\/127\.0\.0\.1:\d+)$/m;
const RECEIVING = /^catp receiver: pronto em https:\/\/(\S+)$/m;
const RECEIVING_PLAIN = /^catp receiver: HTTP em http:\/\/127\.0\.0\.1:(\d+)$/m;
/** Matches the log record of an account change, and the lines of the next steps. */
const IS_INFORMATION = /^\{"@timestamp":"[^"]+","level":"INFO",|^Próximos? passos?:| {2}\d\. | {5}\S/;
const MAX_MS = 480_000;

/** The blocks of the documents, in their order. */
const ORDER = [
  'readme',
  // browser/quinze-minutos.test.ts runs these.
  ...['quinze-inicio', 'quinze-servico', 'quinze-receptor', 'quinze-preparo'],
  'tour',
  'attributes',
  'deadline-start',
  'deadline-files', // deadline-guide.test.ts pastes these, on lists of the public one's size
  'deadline',
  'local-serve',
  'local-handler',
  'local-trigger',
  'receiver',
  'serve',
  'notifications',
  'failures',
  'test-control',
  'journal',
  'faults',
  'fault-lost-answer',
  'fault-drop',
  'fault-unavailable',
  'fault-internal',
  'fault-delay',
  'fault-truncate',
  'fault-garbage',
  'fault-expired-token',
  'fault-hourly-limit',
  'fault-daily-stop',
  'fault-chaos',
  'fault-seeds',
  'neighbours-write', // stubs.test.ts pastes these
  'neighbours-start',
  'neighbours',
  'neighbours-faults',
  'trust-node', // dev-tls.test.ts pastes these, where their runtimes are
  'trust-python',
  'trust-go',
  'trust-php',
  'certificate-curl',
  'certificate-java',
  'own-key',
  'server-install', // package.test.ts pastes it on a machine of its own
  'server-init',
  'server-start',
  'server',
  'client-certificate', // certificates.test.ts pastes it, with an authority of its own
  'server-doctor',
  'server-backup',
  'server-audit',
  'move',
  'instances',
];

/** Expected output of each tour; a day in a regular expression matches any day. */
const SIGNS: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  readme: [
    '"versao":"1","situacao":"ATIVADO"', // included
    '"codigosInterno":["PF-8"]}]', // listed
    'aceita 8 dígitos', // refused
  ],
  tour: [
    '"versao":"1","situacao":"ATIVADO"', // included
    '"versao":"2","situacao":"ATIVADO"', // new version
    '"versao":"2.1","situacao":"ATIVADO"', // rectified
    '"codigosInterno":["CX-10"]}]', // listed
    "Você quis dizer 'denominacao'?",
    '"situacao": "Ativado"', // exported
    '"processed"', // imported
  ],
  attributes: [
    '"attributeTable":{"versao":"1","since":',
    '"path":"/atributos/0/valor"', // the wrong domain code
    '"difference"',
    '"deactivated":3,"events":2',
    '"situacao":"DESATIVADO"',
    'catp-prod-desativado',
    '"versao":"2","situacao":"ATIVADO"',
  ],
  'local-trigger': [
    '"endpoint":"http://localhost:',
    'Evento catp-prod-alterado publicado para CNPJ:12345678000195; entregas: 1.',
  ],
  notifications: ['"evento":"catp-prod-alterado"', '"versao":"1","situacao":"ATIVADO"'],
  failures: [
    /"data":"\d\d-\d\d-\d{4} \d\d:\d\d:\d\d","descricao":"A conexão com o destinatário falhou/,
    'Exclusão automática: somente erros de entrega nos últimos 30 dias.',
  ],
  'test-control': [
    '"test":true', // a test clock
    '{"now":"2030-02-28T09:00:00.000-03:00"', // moved
  ],
  journal: ['"valid":"39269090"', '"valid":"denominacao"', `-H 'authorization: '"$TOKEN"`],
  'fault-lost-answer': ['→ curl desistiu com 5', '"codigosInterno":["PERDIDO"]}]'],
  'fault-drop': [/→ curl desistiu com 5\d\n(?: → 000\n)?.*→ 204\n[^]*"versao":"1"/],
  'fault-unavailable': [/(?:CATP-ER0503[^]*→ 503[^]*){3}→ 200/],
  'fault-internal': [/"codigo":\d+[^]*→ 200\n[^]*PUCX-ER0001[^]*→ 500\n[^]*→ 200/],
  'fault-delay': ['→ curl desistiu com 28', '"codigosInterno":["LENTO"]}]'],
  'fault-truncate': [/→ 200\n→ curl desistiu com (?:18|56)/],
  'fault-garbage': [/<!DOCTYPE html>[^]*→ 200/],
  'fault-expired-token': [/PUCX-ER0201[^]*→ 401\n[^]*→ 200/],
  'fault-hourly-limit': ['PUCX-ER1001', 'Foi atingido o limite de 1000 acessos'],
  'fault-daily-stop': ['PUCX-ER0401', '"matched":1,"acted":1'],
  'fault-chaos': [/→ 50\d/, /→ 200/, 'A mesma semente, as mesmas falhas.'],
  'fault-seeds': ['1: caiu\n2: passou\n3: passou\n4: passou\n5: passou\n'],
  move: [
    'Simulação: nada foi gravado.',
    / [1-9]\d* incluídos, 0 com nova versão ou mudança, 0 inalterados, 0 com erro/,
    / 0 incluídos, 0 com nova versão ou mudança, [1-9]\d* inalterados, 0 com erro/, // again
  ],
  'server-init': ['Client-Secret: '],
  server: ['00000000191', 'retencao'],
  'server-doctor': ['integrity: O banco de dados está inteiro.', '"check": "receivers"'],
  'server-backup': [
    'Cópia de segurança feita: copias/catp-',
    'A cópia está íntegra',
    'Restaurado em dados-restaurados',
  ],
};

let home: string;
let terminal: Terminal;
const running: StartedProgram[] = [];

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'catp-readme-'));
  symlinkSync(join(ROOT, 'src'), join(home, 'src'));
  symlinkSync(dirname(await builtExecutable()), join(home, 'dist'));
  terminal = new Terminal(home);
});

afterAll(async () => {
  await terminal.close();
  await Promise.all(running.map((program) => program.interrupt()));
  rmSync(home, { recursive: true, force: true });
});

async function start(line: string, ready: RegExp): Promise<StartedProgram> {
  const program = await startProgram(`${line.trim()} --port 0`, home, ready);
  running.push(program);
  return program;
}

/** Pastes a tour against the instance at `url` and expects its signs. */
async function take(
  tour: string,
  url: string,
  adapt: (block: string) => string = (block) => block,
): Promise<void> {
  const block = adapt(await blockAfter(tour))
    .replace('http://127.0.0.1:8080', url)
    .replace(/ \| head -\d+$/m, '');
  const { output, errors: stderr } = await terminal.paste(block);
  const errors = stderr
    .split('\n')
    .filter((line) => !IS_INFORMATION.test(line))
    .join('\n');
  expect({ tour, errors }).toEqual({ tour, errors: '' });
  for (const sign of SIGNS[tour] ?? []) expect(output).toMatch(sign);
}

test('each block that a reader can paste is in the list of this test', async () => {
  const bashFences = (await fences()).filter(({ language }) => language === 'bash');
  expect(bashFences.map(({ name }) => name)).toEqual(ORDER);
});

test('no other block has a line for a shell', async () => {
  // windows.test.ts and completion.test.ts run the blocks for PowerShell.
  const otherFences = (await fences()).filter(({ language }) => !['bash', 'powershell'].includes(language));
  expect(otherFences.filter(({ code }) => /^\s*(curl|catp|dist\/catp)\b/m.test(code))).toEqual([]);
});

test(
  'the tours work one after another on one instance, with the described results',
  async () => {
    const first = await start('dist/catp dev', READY); // the last command of scripts/start
    await take('readme', first.ready);
    await take('tour', first.ready);
    await take('attributes', first.ready);

    expect(await first.interrupt()).toBe(0);

    const local = await start(await blockAfter('local-serve'), READY);
    const handler = await start((await blockAfter('local-handler')).replace('3000', '0'), RECEIVING_PLAIN);
    await take('local-trigger', local.ready, (block) =>
      block.replace('localhost:3000', `localhost:${handler.ready}`),
    );
    expect(await handler.outputUntil('"operacao":"NOVA_VERSAO"')).toContain('event-type: catp-prod-alterado');
    await handler.interrupt();
    expect(await local.interrupt()).toBe(0);

    const receiver = await start(await blockAfter('receiver'), RECEIVING);
    const serve = (await blockAfter('serve')).replace('127.0.0.1:8443', receiver.ready);
    const second = await start(serve, READY);
    await take('notifications', second.ready);
    const output = await receiver.outputUntil('"operacao":"INCLUSAO"');
    expect(output).toContain('event-type: catp-prod-alterado');
    expect(output).toContain('→ segredo confere\n');
    await receiver.interrupt();
    await take('failures', second.ready);
    await take('test-control', second.ready);
    await take('journal', second.ready);
    for (const fault of ORDER.filter((name) => name.startsWith('fault'))) await take(fault, second.ready);
    await take('server-init', second.ready);
    const server = await start(await blockAfter('server-start'), READY);
    await take('server', server.ready);
    await take('server-doctor', server.ready);
    await take('server-backup', server.ready);
    // The clock of the previous server is in 2030, and today's servers refuse links of 2030.
    const third = await start('dist/catp dev --perfil portal --data ./novo', READY);
    await take('move', server.ready, (block) => block.replace('./catp-dev', './novo'));
    expect(await third.interrupt()).toBe(0);
    await take('instances', server.ready);
    expect(await server.interrupt()).toBe(0);
    expect(await second.interrupt()).toBe(0);
  },
  MAX_MS,
);
