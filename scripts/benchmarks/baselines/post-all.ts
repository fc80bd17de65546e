/**
 * `post-all.ts CA_FILE COUNT PORT,PORT,…`: bare `node:https` POSTs over keep-alive connections, COUNT in
 * total. Concurrency is that of catp: 128, and 8 per receiver.
 */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';

const AT_A_TIME = 128;
const AT_A_TIME_EACH = 8;

const [caFile = '', count = '0', ports = ''] = process.argv.slice(2);
const targets = ports.split(',').map(Number);
const agent = new Agent({ keepAlive: true, maxSockets: AT_A_TIME_EACH, ca: readFileSync(caFile) });

function post(index: number): Promise<void> {
  const target = index % targets.length;
  const body = JSON.stringify({ at: Date.now(), ...NOTICE });
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: targets[target],
        servername: `r${target}.exemplo`,
        method: 'POST',
        path: '/',
        agent,
        headers: { ...HEADERS, 'content-length': Buffer.byteLength(body) },
      },
      (answer) => answer.resume().once('end', resolve),
    );
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

const NOTICE = { titulo: 'Aviso inventado para medir', mensagem: 'Texto de tamanho comum. '.repeat(8) };
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'destinatario-tipo': 'CNPJ',
  'destinatario-id': '12345678000195',
  'event-type': 'bench',
  secret: 'segredo-da-medida',
};

let next = 0;
const sender = async (): Promise<void> => {
  while (next < Number(count)) {
    next += 1;
    await post(next);
  }
};
await Promise.all(Array.from({ length: AT_A_TIME }, sender));
agent.destroy();
