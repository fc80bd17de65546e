/** Uma instância de `catp dev` só de quem a pede: começa em um instante, em uma porta livre, e não sobrevive a quem a pediu. */
const { spawn } = require('node:child_process');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const SYSTEMS = { win32: 'windows' };
const PLATFORM = `${SYSTEMS[process.platform] ?? process.platform}-${process.arch}`;
const LAST_WORDS = 2000;

/** O executável: o de `CATP`, ou o do pacote desta plataforma. */
function executable() {
  if (process.env.CATP) return process.env.CATP;
  const file = process.platform === 'win32' ? 'catp.exe' : 'catp';
  try {
    return require.resolve(`catp-${PLATFORM}/${file}`);
  } catch {
    throw new Error(
      `catp: falta o pacote catp-${PLATFORM}; instale-o ao lado deste, ou diga em CATP onde está o executável.`,
    );
  }
}

/** As falhas que foram pedidas; sem um pedido, as da variável CAOS (`1:tudo`). */
function chaosOf(chaos) {
  if (chaos !== undefined) return chaos || undefined;
  const [seed, set] = (process.env.CAOS ?? '').split(':');
  return seed ? { seed, set } : undefined;
}

/** Resolve quando a instância atende. */
async function start({ empty = false, profile, clock, data, snapshot, chaos, args = [] } = {}) {
  const faults = chaosOf(chaos);
  const folder = data ?? mkdtempSync(join(tmpdir(), 'catp-'));
  const words = ['dev', '--port', '0', '--data', folder, '--exit-with-parent'];
  if (data === undefined) words.push('--temporary');
  if (empty) words.push('--empty');
  if (profile) words.push('--perfil', profile);
  if (clock) words.push('--clock', typeof clock === 'string' ? clock : clock.toISOString());
  if (snapshot) words.push('--snapshot', snapshot);
  if (faults) words.push('--chaos', `${faults.seed}:${faults.set ?? ''}`);
  const server = spawn(executable(), [...words, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const stop = async () => {
    server.kill();
    await ended;
    if (data === undefined) rmSync(folder, { recursive: true, force: true });
  };
  let url;
  try {
    url = await addressOf(server, ended);
  } catch (error) {
    await stop();
    throw error;
  }
  return instanceOf(url, stop);
}

/** O endereço que diz na primeira linha; o que se queixou, quando nunca o diz. */
function addressOf(server, ended) {
  let output = '';
  let errors = '';
  server.stderr.on('data', (bytes) => (errors = `${errors}${bytes}`.slice(-LAST_WORDS)));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    void ended.then((code) => reject(new Error(`catp: a instância terminou com ${code}\n${errors}`)));
    server.stdout.on('data', (bytes) => {
      const [, address] = /pronto em (\S+)\n/.exec((output += bytes)) ?? [];
      if (address) resolve(address);
    });
  });
}

function instanceOf(url, stop) {
  const callers = new Map();
  /** Entra a cada vez; o que devolve faz requisições nessa sessão, com o X-CSRF-Token que cada resposta renova. */
  const signIn = async (clientId, clientSecret = clientId, roleType = 'IMPEXP') => {
    const answer = await fetch(`${url}/portal/api/autenticar/chave-acesso`, {
      method: 'POST',
      headers: { 'Client-Id': clientId, 'Client-Secret': clientSecret, 'Role-Type': roleType },
    });
    if (!answer.ok) throw new Error(`catp: ${clientId} não entrou: ${await answer.text()}`);
    const headers = {
      Authorization: answer.headers.get('set-token'),
      'X-CSRF-Token': answer.headers.get('x-csrf-token'),
      'Content-Type': 'application/json',
    };
    return async (method, path, body) => {
      const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
      const reply = await fetch(`${url}${path}`, request);
      headers['X-CSRF-Token'] = reply.headers.get('x-csrf-token') ?? headers['X-CSRF-Token'];
      const text = await reply.text();
      const isJson = (reply.headers.get('content-type') ?? '').startsWith('application/json');
      return { status: reply.status, headers: reply.headers, body: isJson && text ? JSON.parse(text) : text };
    };
  };
  /** O administrador da instância: relógio, estados, falhas; entra de novo quando a sessão terminou. */
  const admin = async (method, path, body) => {
    for (const isLast of [false, true]) {
      const ask = callers.get('admin') ?? (await signIn('admin'));
      callers.set('admin', ask);
      const reply = await ask(method, `/appliance/api${path}`, body);
      if (reply.status < 300) return reply.body;
      if (reply.status !== 401 || isLast)
        throw new Error(`catp: ${method} ${path}: ${reply.status} ${reply.body.message ?? ''}`);
      callers.delete('admin');
    }
  };
  return {
    url,
    signIn,
    admin,
    clock: {
      now: async () => (await admin('GET', '/clock')).now,
      advance: async (duration) => (await admin('POST', '/clock', { advance: duration })).now,
      set: async (moment) => (await admin('POST', '/clock', { set: moment })).now,
    },
    snapshot: async (name) => void (await admin('POST', `/snapshots/${name}`)),
    restore: async (name) => void (await admin('POST', `/snapshots/${name}/restore`)),
    stop,
    [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]: stop,
  };
}

module.exports = { start, chaosOf, executable };
