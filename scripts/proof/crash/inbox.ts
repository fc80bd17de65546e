/** The receiver of all notifications of the check: the expected and the received ones. */
import { SystemClock } from '../../../src/clock.ts';
import { type Authority, createAuthority } from '../../../src/authority/authority.ts';
import { type Receiver, startReceiver } from '../../../src/receiver/receiver.ts';

export const COMPANY = '12345678';
const RECEIVER_HOST = 'erp.prova';
export const ENDPOINT = `https://${RECEIVER_HOST}/notificacoes`;

export class Inbox {
  readonly #expected = new Set<string>();
  readonly #arrived = new Map<string, number>();
  /** Products that a public `catp-prod-desativado` named. */
  readonly named = new Set<string>();
  total = 0;

  expect(key: string): void {
    this.#expected.add(key);
  }

  take(evento: string, text: string): void {
    this.total += 1;
    const body = JSON.parse(text) as Record<string, unknown>;
    if (evento === 'catp-prod-desativado') {
      for (const codigo of (body['codigosProduto'] as string[] | null) ?? []) this.named.add(codigo);
      return;
    }
    if (evento === 'catp-prod-alterado') {
      const { cpfCnpjRaiz, codigo, versao, operacao } = body;
      if (cpfCnpjRaiz === COMPANY) this.#arrive(productKey(Number(codigo), String(versao), String(operacao)));
      return;
    }
    this.#arrive(String(body['prova']));
  }

  #arrive(key: string): void {
    this.#arrived.set(key, (this.#arrived.get(key) ?? 0) + 1);
  }

  get expected(): number {
    return this.#expected.size;
  }

  get missing(): readonly string[] {
    return [...this.#expected].filter((key) => !this.#arrived.has(key));
  }

  /** Notifications that arrived more than once; that is allowed around a crash. */
  get repeated(): number {
    return [...this.#arrived.values()].reduce((sum, times) => sum + times - 1, 0);
  }
}

export const productKey = (codigo: number, versao: string, operacao: string): string =>
  `produto ${codigo} ${versao} ${operacao}`;

export interface InboxServer {
  readonly flags: readonly string[];
  /** Sends all later notifications to this inbox. */
  deliverTo(inbox: Inbox): void;
  close(): Promise<void>;
}

/** Opens a healthy TLS receiver; `caFile` receives the certificate of its authority for the server. */
export async function openInboxServer(caFile: string): Promise<InboxServer> {
  const authority: Authority = await createAuthority(new SystemClock().now());
  await Bun.write(caFile, authority.pem);
  let current = new Inbox();
  const receiver: Receiver = await startReceiver({
    authority,
    onReceived: ({ headers, body }) => {
      receiver.requests.length = 0; // only the body is kept
      current.take(String(headers['event-type']), body);
    },
  });
  return {
    flags: [
      ...['--map', `${RECEIVER_HOST}:443=127.0.0.1:${receiver.port}`, '--ca', caFile],
      ...['--retry', '1s,2s,5s,10s,30s,60s,60s'],
    ],
    deliverTo: (inbox) => {
      current = inbox;
    },
    close: () => receiver.close(),
  };
}
