/** A server whose deliveries reach real TLS receivers. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SettingName } from '../../../../src/settings/settings.ts';
import { type Client, type OpenAppOptions, openApp, type TestApp } from '../../../support/app.ts';
import { testAuthority } from '../../../support/receiver.ts';

export const EVENTO = 'duex-historico';

/** Receivers by their name in the subscriptions. */
export type Receivers = Readonly<Record<string, { readonly port: number }>>;

export interface DeliveringOptions {
  readonly settings?: Partial<Record<SettingName, string>>;
  readonly app?: OpenAppOptions;
}

export interface Delivering extends AsyncDisposable {
  readonly server: TestApp;
  readonly demo: Client;
  readonly admin: Client;
  /** Subscribes `demo`. Returns the subscription's id. */
  subscribe(endpoint: string, more?: { evento?: string; chaveSecreta?: string }): Promise<number>;
  /** Publishes to the company of `demo`. Returns the number of created deliveries. */
  publish(conteudo: unknown, evento?: string): Promise<number>;
  /** Returns the deliveries that the administration lists, newest first. */
  deliveries(filter?: string): Promise<Listed[]>;
  failures(): Promise<{ descricao: string; conteudo: string }[]>;
  advance(duration: string): Promise<void>;
  /** Moves the clock to an instant, for instance a listed one, plus some ms. */
  moveTo(instant: string | null | undefined, ms?: number): Promise<void>;
  /**
   * Moves the clock by a millisecond. Resolves when every attempt that was due or in progress is recorded.
   */
  quiet(): Promise<void>;
}

export interface Listed {
  readonly id: number;
  readonly subscriptionId: number;
  readonly state: string;
  readonly attempts: readonly { readonly outcome: string; readonly at: string }[];
  readonly nextAttemptAt: string | null;
}

export async function deliverTo(receivers: Receivers, options: DeliveringOptions = {}): Promise<Delivering> {
  const folder = mkdtempSync(join(tmpdir(), 'catp-deliveries-'));
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, (await testAuthority()).pem);
  const map = Object.entries(receivers).map(([host, { port }]) => `${host}:443=127.0.0.1:${port}`);
  const server = await openApp({
    ...options.app,
    settings: { 'entrega.mapa': map.join(','), 'entrega.ca': ca, ...options.settings },
  });
  // The clock moves by more than the lifetime of a session.
  const signingIn = (key: 'demo' | 'admin'): Client => ({
    call: async (...request) => (await server.as(key)).call(...request),
  });
  const [demo, admin] = [signingIn('demo'), signingIn('admin')];
  const list = async (path: string, client: Client) => (await client.call('GET', path)).json as never;
  const move = async (body: { advance: string } | { set: string }): Promise<void> => {
    const { status, text } = await admin.call('POST', '/appliance/api/clock', body);
    if (status !== 200) throw new Error(text);
  };
  const advance = (duration: string): Promise<void> => move({ advance: duration });
  return {
    server,
    demo,
    admin,
    subscribe: async (endpoint, { evento = EVENTO, ...more } = {}) => {
      const reply = await demo.call('POST', '/portal/api/ext/webhook', { evento, endpoint, ...more });
      if (reply.status !== 200) throw new Error(reply.text);
      return (reply.json as { id: number }).id;
    },
    publish: async (conteudo, evento = EVENTO) => {
      const event = { evento, destinatarioTipo: 'CNPJ', destinatarioId: '12345678', conteudo };
      const reply = await admin.call('POST', '/appliance/api/events', event);
      return (reply.json as { deliveries: number }).deliveries;
    },
    deliveries: (filter = '') => list(`/appliance/api/deliveries?limit=1000&${filter}`, admin),
    failures: () => list('/portal/api/ext/webhook/falhas', demo),
    advance,
    moveTo: (instant, ms = 0) => move({ set: new Date(Date.parse(instant ?? '') + ms).toISOString() }),
    quiet: () => advance('PT0.001S'),
    [Symbol.asyncDispose]: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
