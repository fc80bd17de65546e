/** A server and its audit. */
import { expect } from 'bun:test';
import type { OpenAppOptions, Reply } from '../support/app.ts';
import { openApp } from '../support/app.ts';

export const COMPANY = '12345678';
export const DEMO = '00000000191';
export const ADMIN = '00000000515';
export const AUDIT = '/appliance/api/audit';
export const PRODUCT = `/catp/api/ext/produto/${COMPANY}`;
export const REQUEST = { denominacao: 'Parafuso', modalidade: 'IMPORTACAO', ncm: '39269090' };

export interface Item {
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
  readonly key: string | null;
  readonly channel: string;
  readonly action: string;
  readonly subject: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface Page {
  readonly items: readonly Item[];
  readonly next: number | null;
}

type EntrySummary = readonly [
  actor: string,
  channel: string,
  action: string,
  subject: string,
  ...versions: unknown[],
];

export async function openAudited(options: OpenAppOptions = {}) {
  const server = await openApp(options);
  const [demo, admin] = [await server.as('demo'), await server.as('admin')];
  // Signs in each time: the test clock may have passed the end of a session.
  const page = async (query = ''): Promise<Page> =>
    (await done((await server.as('admin')).call('GET', AUDIT + query))).json as Page;
  return {
    server,
    demo,
    admin,
    page,
    /** Returns the entries written during `work`, oldest first. */
    noted: async (work: () => Promise<unknown>): Promise<EntrySummary[]> => {
      const before = (await page('?limit=1')).items[0]?.seq ?? 0;
      await work();
      const { items } = await page('?limit=1000');
      return items
        .filter(({ seq }) => seq > before)
        .toReversed()
        .map(({ actor, channel, action, subject, before: was, after }) => [
          ...([actor, channel, action, subject] as const),
          ...(was === null && after === null ? [] : [was, after]),
        ]);
    },
  };
}

export type Audited = Awaited<ReturnType<typeof openAudited>>;

/** Returns the reply. Throws if it is a refusal. */
export async function done(reply: Promise<Reply>): Promise<Reply> {
  const { status, text } = await reply;
  expect([status < 300, status < 300 ? '' : text]).toEqual([true, '']);
  return reply;
}

/** Imports a file, and waits for its end. */
export async function imported(
  { demo, server }: Audited,
  items: unknown,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ tipo: 'produto', ...more })) form.set(name, value);
  form.set('file', new File([JSON.stringify(items)], 'itens.json'));
  await done(demo.call('POST', '/appliance/api/imports', form));
  await server.app.core.imports.runner.idle();
}
