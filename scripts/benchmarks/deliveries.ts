/** Receivers, a catp that delivers to them, and events. */
import { join } from 'node:path';
import type { Bench } from './figure.ts';
import { type Catp, type Program, startBaseline, startCatp } from './programs.ts';
import { openAuthenticated } from './session.ts';

const EVENTO = 'bench';
const COMPANY = '12345678';

export interface Receivers extends Program {
  readonly caFile: string;
  readonly ports: readonly number[];
  reset(): Promise<void>;
  counts(): Promise<Counts>;
  /** Resolves when `count` notifications were received since the reset. Throws when no more arrive. */
  received(count: number): Promise<Counts>;
}

export interface Counts {
  readonly count: number;
  /** Time from the first one to the last one. */
  readonly ms: number;
  /** Time from publication to receipt. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const ASK_EVERY_MS = 50;
const SILENT_MS = 30_000;

export async function startReceivers(bench: Bench, healthy: number, hanging = 0): Promise<Receivers> {
  const caFile = join(bench.scratch, `receivers-${healthy}-${hanging}.pem`);
  const program = await startBaseline('receivers', [caFile, String(healthy), String(hanging)]);
  const ask = async <T>(path: string): Promise<T> => (await (await fetch(program.url + path)).json()) as T;
  const counts = (): Promise<Counts> => ask('/counts');
  return {
    ...program,
    caFile,
    ports: await ask('/ports'),
    counts,
    reset: async () => void (await fetch(`${program.url}/reset`)),
    received: async (count) => {
      let last = { at: performance.now(), count: 0 };
      for (;;) {
        const now = await counts();
        if (now.count >= count) return now;
        if (now.count > last.count) last = { at: performance.now(), count: now.count };
        if (performance.now() - last.at > SILENT_MS)
          throw new Error(`${now.count} of ${count} notifications arrived`);
        await Bun.sleep(ASK_EVERY_MS);
      }
    },
  };
}

/**
 * Starts a catp with one user and one subscription per receiver; an event to the company reaches all of them.
 */
export async function startDelivering(data: string, receivers: Receivers): Promise<Catp> {
  const maps = receivers.ports.flatMap((port, index) => ['--map', `${hostOf(index)}:443=127.0.0.1:${port}`]);
  const catp = await startCatp(data, [...maps, '--ca', receivers.caFile, '--retry', 'none']);
  for (const index of receivers.ports.keys()) await subscribe(catp, index);
  return catp;
}

const hostOf = (index: number): string => `r${index}.exemplo`;

async function subscribe(catp: Catp, index: number): Promise<void> {
  const admin = await administrator(catp);
  const documento = String(90_000_000_000 + index);
  await admin('users', { documento, nome: `Receptor ${index}`, tipo: 'PRIV' });
  await admin('representations', { documento, cpfCnpjRaiz: COMPANY, perfil: 'IMPEXP' });
  const { clientId, clientSecret } = (await admin('keys', { documento })) as Record<string, string>;
  const tokens = await openAuthenticated(catp.url, String(clientId), String(clientSecret));
  const endpoint = `https://${hostOf(index)}/`;
  const subscription = { evento: EVENTO, endpoint, chaveSecreta: 'segredo-da-medida' };
  await post(`${catp.url}/portal/api/ext/webhook`, tokens, subscription);
}

export type Publish = () => Promise<void>;

/** Returns a function that publishes one event to the company at each call. */
export async function publisher(catp: Catp): Promise<Publish> {
  const admin = await administrator(catp);
  return async () => {
    const conteudo = { at: Date.now(), ...NOTICE };
    await admin('events', { evento: EVENTO, destinatarioTipo: 'CNPJ', destinatarioId: COMPANY, conteudo });
  };
}

const NOTICE = { titulo: 'Aviso inventado para medir', mensagem: 'Texto de tamanho comum. '.repeat(8) };

async function administrator(catp: Catp) {
  const tokens = await catp.signIn('admin');
  return (collection: string, body: object) => post(`${catp.url}/appliance/api/${collection}`, tokens, body);
}

async function post(url: string, tokens: object, body: object): Promise<unknown> {
  const headers = { ...tokens, 'Content-Type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`POST ${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
